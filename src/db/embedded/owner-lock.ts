import { randomBytes } from 'node:crypto';
import { chmod, link, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { codeOf, EmbeddedServerError } from './embedded-errors.ts';
import type { Connection, Location } from './embedded-types.ts';

/*
 * Who owns this DATA_DIR's database, from before initdb until the end. The owner listens on a unix socket `owner.<n>`:
 * whoever can connect to it knows that the owner lives, and a kill -9 closes it, without pids to be reused or dates to be wrong;
 * it even holds between two containers that share the volume. To take over is to publish the next number with `link`, which one only can;
 * the highest number is never removed, so that a slow rival cannot publish a number that was already used.
 * PostgreSQL's postmaster.pid and the advisory lock are the second and third bolt on the same door.
 */

/** What an owner tells those who ask. */
export interface Owner {
  readonly pid: number;
  /** A service stays; a command-line tool ends in a moment. */
  readonly kind: 'service' | 'tool';
  /** Set once the database can be used. */
  readonly serving?: { readonly connection: Connection; readonly location: Location };
}

export interface OwnerLock {
  /** Tells those who ask where the database is. */
  publish(serving: NonNullable<Owner['serving']>): void;
  release(): Promise<void>;
}

export type Claim = { readonly lock: OwnerLock } | { readonly owner: Partial<Owner> };

/**
 * Becomes the owner, or says who is.
 * @param folder the socket folder; its path and 20 characters more must fit a socket's name
 * @throws EmbeddedServerError when the folder belongs to another user
 */
export async function claim(folder: string, kind: Owner['kind']): Promise<Claim> {
  for (;;) {
    const highest = Math.max(0, ...(await numbers(folder)));
    const owner = highest > 0 ? await ask(nameOf(folder, highest)) : undefined;
    if (owner) return { owner };
    const lock = await publishAs(folder, highest + 1, kind);
    if (lock) return { lock };
  }
}

const nameOf = (folder: string, number: number): string => join(folder, `owner.${number}`);

async function numbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => /^owner\.(\d+)$/.exec(name)?.[1] ?? []).map(Number);
}

/** Undefined when nobody lives behind the name. */
function ask(path: string): Promise<Partial<Owner> | undefined> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(path);
    // A stopped or busy owner does not answer, but the kernel accepted for it: it lives.
    const timer = setTimeout(() => socket.destroy(), 1000);
    let connected = false;
    socket.once('connect', () => {
      connected = true;
    });
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    let failure: string | undefined;
    socket.once('error', (error) => {
      failure = codeOf(error);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      if (connected || failure === undefined || failure === 'EAGAIN') resolve(parse(text));
      else if (failure === 'EACCES' || failure === 'EPERM')
        reject(
          new EmbeddedServerError(
            `The database behind ${path} belongs to another user: start Stoa as that user, or give it a DATA_DIR of its own.`,
          ),
        );
      else resolve(undefined);
    });
  });
}

function parse(text: string): Partial<Owner> {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return {};
  }
}

/** Listens first and publishes the name then, so that a name without a listener is always a dead owner. */
async function publishAs(
  folder: string,
  number: number,
  kind: Owner['kind'],
): Promise<OwnerLock | undefined> {
  let owner: Owner = { pid: process.pid, kind };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(owner), () => socket.destroy());
  });
  const draft = join(folder, `claim.${randomBytes(4).toString('hex')}`);
  await listen(server, draft);
  server.unref();
  const name = nameOf(folder, number);
  try {
    // The folder keeps others out; this lets the same installation ask after it was root's once.
    await chmod(draft, 0o666);
    await link(draft, name).catch(async (error: unknown) => {
      // A file system without hard links to sockets: a wider race, with the two other bolts behind it.
      if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw error;
      await rename(draft, name);
    });
    await rm(draft, { force: true });
    if (Math.max(...(await numbers(folder))) > number) throw new Error('overtaken');
  } catch (error) {
    await close(server);
    const lost =
      ['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '') ||
      (error instanceof Error && error.message === 'overtaken');
    if (lost) return undefined;
    throw error;
  }
  for (const entry of await readdir(folder)) {
    const old = /^owner\.(\d+)$/.exec(entry)?.[1];
    if (entry.startsWith('claim.') || (old !== undefined && Number(old) < number))
      await rm(join(folder, entry), { force: true });
  }
  return {
    publish: (serving) => {
      owner = { ...owner, serving };
    },
    release: () => close(server),
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.removeListener('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
