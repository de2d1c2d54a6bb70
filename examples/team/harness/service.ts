import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { generate } from 'selfsigned';
import { root } from './options.ts';

/** What the receiver of hints needs to be reached by the service. */
export type HookEnvironment = Readonly<
  Record<'HOOK_URL' | 'PORT' | 'TLS_CERT' | 'TLS_KEY', string>
>;

export interface StartedService {
  readonly url: string;
  readonly hook: HookEnvironment;
  stop(): Promise<void>;
}

/** A name that only the started service knows. It stands for the public name of a receiver. */
const HOOK_HOST = 'reviewer.example';

/** Finds a port of loopback that nobody listens on. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/**
 * Starts the built service with hints on. Hints go to public https addresses only. In a test realm
 * the service can be told that a name has one, and where it really is: see TEST_DIAL in README.md.
 */
export async function startService(folder: string): Promise<StartedService> {
  const certificate = await generate([{ name: 'commonName', value: HOOK_HOST }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: HOOK_HOST }] }],
  });
  const TLS_CERT = join(folder, 'hook-cert.pem');
  const TLS_KEY = join(folder, 'hook-key.pem');
  writeFileSync(TLS_CERT, certificate.cert);
  writeFileSync(TLS_KEY, certificate.private, { mode: 0o600 });
  const port = String(await findFreePort());
  const child = spawn(process.execPath, [join(root, 'dist/src/main.js'), 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DISK_FLOOR_BYTES: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      REALM: 'test',
      WEBHOOKS_ENABLED: 'on',
      WEBHOOKS_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      TEST_DIAL: `${HOOK_HOST}=93.184.216.34=127.0.0.1:${port}`,
      TEST_CA: TLS_CERT,
    },
    stdio: ['ignore', 'pipe', openSync(join(folder, 'service.log'), 'a')],
  });
  const { stdout } = child;
  if (!stdout) throw new Error('The service has no standard output.');
  const ended = once(child, 'exit');
  let url = '';
  for await (const line of createInterface({ input: stdout })) {
    url = /serves on (\S+)/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  stdout.resume();
  if (url === '') throw new Error(`The service did not start: see service.log in ${folder}.`);
  return {
    url,
    hook: { HOOK_URL: `https://${HOOK_HOST}/stoa`, PORT: port, TLS_CERT, TLS_KEY },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
