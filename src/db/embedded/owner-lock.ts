import { randomBytes } from 'node:crypto';
import { chmod, link, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { EmbeddedServerError, findSystemCode } from './embedded-errors.ts';
import type { ServerLocation, SocketConnection } from './embedded-types.ts';

/*
 * The owner lock decides which process owns this DATA_DIR's database, from before initdb until the
 * end. The owner listens on a unix socket `owner.<n>`. A process that can connect to it knows that
 * the owner is running, and a kill -9 closes the socket. That depends neither on pids, which are
 * reused, nor on clocks, which may be wrong, and it works between two containers that share the
 * volume. A process takes over by publishing the next number with `link`, which succeeds for one
 * process only. The highest number is never removed, so a slow rival cannot publish a number that
 * was already used. PostgreSQL's postmaster.pid and the advisory lock are the second and third
 * guard.
 */

/** The facts that an owner sends to processes that connect to it. */
export interface Owner {
  readonly pid: number;
  /** A service keeps running; a command-line tool ends within moments. */
  readonly kind: 'service' | 'tool';
  /** Set once the database can be used. */
  readonly serving?: { readonly connection: SocketConnection; readonly location: ServerLocation };
}

/** The lock of the process that owns the database. */
export interface OwnerLock {
  /** Sends the location of the database to processes that connect from now on. */
  publish(serving: NonNullable<Owner['serving']>): void;
  release(): Promise<void>;
}

/** The result of a claim: the lock, or the facts of the present owner. */
export type OwnerClaim = { readonly lock: OwnerLock } | { readonly owner: Partial<Owner> };

/**
 * Becomes the owner, or returns the facts of the present one. `folder` is the socket folder; its
 * path and 20 more characters must fit into a socket's name.
 * Errors: EmbeddedServerError when the folder belongs to another user.
 */
export async function claimOwnership(folder: string, kind: Owner['kind']): Promise<OwnerClaim> {
  for (;;) {
    const highest = Math.max(0, ...(await listNumbers(folder)));
    const owner = highest > 0 ? await askOwner(toSocketName(folder, highest)) : undefined;
    if (owner) return { owner };
    const lock = await publishAs(folder, highest + 1, kind);
    if (lock) return { lock };
  }
}

const toSocketName = (folder: string, number: number): string => join(folder, `owner.${number}`);

async function listNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => /^owner\.(\d+)$/.exec(name)?.[1] ?? []).map(Number);
}

/** Returns the owner's facts, as far as it sends any; undefined when no process listens. */
function askOwner(path: string): Promise<Partial<Owner> | undefined> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(path);
    // The kernel accepts for a stopped or busy owner that does not answer, so it is alive.
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
      failure = findSystemCode(error);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      if (connected || failure === undefined || failure === 'EAGAIN') resolve(parseOwner(text));
      else if (failure === 'EACCES' || failure === 'EPERM')
        reject(
          new EmbeddedServerError(
            `The database behind ${path} belongs to another user: start Stoa as that user, ` +
              'or give it a DATA_DIR of its own.',
          ),
        );
      else resolve(undefined);
    });
  });
}

function parseOwner(text: string): Partial<Owner> {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return {};
  }
}

/** Listens before it publishes the name, so a name without a listener always means a dead owner. */
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
  const name = toSocketName(folder, number);
  try {
    // The folder keeps other users out. The mode lets an installation connect after root ran it.
    await chmod(draft, 0o666);
    await link(draft, name).catch(async (error: unknown) => {
      // This file system has no hard links to sockets. `rename` widens the race, and the two other
      // guards remain.
      if (findSystemCode(error) !== 'EPERM' && findSystemCode(error) !== 'ENOTSUP') throw error;
      await rename(draft, name);
    });
    await rm(draft, { force: true });
    if (Math.max(...(await listNumbers(folder))) > number) throw new Error('overtaken');
  } catch (error) {
    await close(server);
    const lost =
      ['EEXIST', 'ENOENT'].includes(findSystemCode(error) ?? '') ||
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
