import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OWNER_ROLE, SERVICE_ROLE } from '../../src/db/roles.ts';
import { IS_ROOT } from '../support/embedded-testbed.ts';
import { factories, waitUntil } from '../support/factories.ts';
import { createFolder, startService } from '../support/service.ts';
import { askForSession } from './embedded/ask-for-session.ts';

/** A user that is in /etc/passwd for the started service alone. */
const STOA_UID = 812;

/** Runs a program with a file in place of /etc/passwd, in a mount namespace of its own. */
const buildLauncher = (passwd: string): readonly string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount --bind "$0" /etc/passwd && exec "$@"',
  passwd,
];

const mayUnshare = IS_ROOT && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Lists the children of a process with the user that each runs as. */
const listChildren = (parent: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const [, ppid] = /^PPid:\s+(\d+)/m.exec(status) ?? [];
        const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
        const [, groups] = /^Groups:[ \t]*(.*?)[ \t]*$/m.exec(status) ?? [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return Number(ppid) === parent ? [{ uid: Number(uid), groups, command }] : [];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });

function writePasswd(folder: string, user: string): string {
  const path = join(folder, 'passwd');
  writeFileSync(path, `${readFileSync('/etc/passwd', 'utf8').replace(/^stoa:.*\n/m, '')}${user}`);
  return path;
}

describe.skipIf(!mayUnshare)('the service that root starts', () => {
  it('[start.drops-root] answers requests as the user stoa', async () => {
    const folder = createFolder();
    const passwd = writePasswd(folder, `stoa:x:${STOA_UID}:${STOA_UID}::/nonexistent:/bin/false\n`);
    const launcher = buildLauncher(passwd);
    const env = { DATA_DIR: join(folder, 'data') };
    const service = await startService(env, launcher);
    const workers = listChildren(service.pid).filter(({ command }) => command.includes('serve'));
    expect(workers).toMatchObject([{ uid: STOA_UID, groups: '' }]);

    const f = factories(service);
    const agent = await f.createAgent();
    const thread = await f.createThread(agent, await f.createRoom(agent));
    const message = await f.postMessage(agent, thread, 'With a file.');
    const file = await f.attachFile(agent, message.id);
    expect(statSync(join(folder, 'data', 'files')).uid).toBe(STOA_UID);

    // The user reaches the database as the service, and not as its owner.
    const socket = join(folder, 'data', 'postgres', 'socket');
    const account = { uid: STOA_UID, gid: STOA_UID };
    expect(await askForSession(socket, SERVICE_ROLE, account)).toMatch(/^R/);
    for (const role of [OWNER_ROLE, 'stoa'])
      expect(await askForSession(socket, role, account)).toContain('Peer authentication failed');
    expect(await service.end('SIGTERM')).toBe(0);

    const again = await startService(env, launcher);
    const bytes = await fetch(`${again.url}/files/${file.id}`);
    expect(await bytes.text()).toBe('Some notes.');
    expect(await again.end('SIGTERM')).toBe(0);
  });

  it('[start.drops-root] says what to do where there is no user stoa', async () => {
    const folder = createFolder();
    const service = await startService(
      { DATA_DIR: join(folder, 'data') },
      buildLauncher(writePasswd(folder, '')),
    );
    const listReasons = () =>
      service
        .listLogs()
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'the service stays root');
    // It is logged after the line that the start waits for.
    await waitUntil('the reason is logged', () => listReasons().length > 0);
    expect(listReasons()).toEqual([expect.objectContaining({ todo: expect.any(String) })]);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
