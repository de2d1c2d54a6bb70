import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A program that asks for a session as a role (protocol 3.0) and prints the answer. */
const ASK = `
const socket = require('node:net').connect(process.argv[1]);
const body = Buffer.from('user\\0' + process.argv[2] + '\\0database\\0stoa\\0\\0');
const head = Buffer.alloc(8);
head.writeInt32BE(8 + body.length, 0);
head.writeInt32BE(196608, 4);
socket.write(Buffer.concat([head, body]));
socket.on('data', (data) => { process.stdout.write(data.toString('latin1')); socket.destroy(); });
`;

/**
 * Asks the database behind a socket for a session as `role`, from a process of the account, and
 * returns the bytes of the answer: "R" first for a session, "E" for a refusal.
 */
export async function askForSession(
  socketFolder: string,
  role: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['-e', ASK, join(socketFolder, '.s.PGSQL.5432'), role],
    { uid, gid, cwd: '/' },
  );
  return stdout;
}
