import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimOwnership, type OwnerLock } from '../../../src/db/embedded/owner-lock.ts';
import {
  clean,
  cleanAll,
  createFolder,
  getPostmaster,
  getRefusal,
  insertText,
  kill,
  listRows,
  startElsewhere,
  startServer,
  stopElsewhere,
} from '../../support/embedded-testbed.ts';

afterEach(clean);
afterAll(cleanAll);

let dataDir: string;
beforeAll(async () => {
  dataDir = await createFolder();
});

describe('a second instance on the same DATA_DIR', () => {
  it('[start.second-instance] is refused with a message, and the first is not harmed', async () => {
    const first = await startServer({ dataDir });
    await insertText(first.connection, 'first');
    const pid = await getPostmaster(first.location.data);
    const sentence = `in use by another Stoa (process ${process.pid}): stop that one first`;
    expect(await getRefusal({ dataDir })).toContain(sentence);
    expect((await startElsewhere({ dataDir })).error).toContain(sentence);
    expect(await getPostmaster(first.location.data)).toBe(pid);
    expect(await listRows(first.connection)).toContain('first');
  });

  it('[start.second-instance] is refused while the first creates the database', async () => {
    const dataDir = join(await createFolder(), 'data');
    const all = await Promise.all([1, 2, 3, 4].map(() => startElsewhere({ dataDir })));
    const winners = all.filter(({ error }) => error === undefined);
    expect(winners).toHaveLength(1);
    for (const { error } of all)
      expect(error ?? 'in use by another Stoa').toContain('in use by another Stoa');
    const [winner] = winners;
    if (!winner) return;
    await insertText(winner.connection, 'served');
    expect(await listRows(winner.connection)).toEqual(['served']);
  });

  it('[start.second-instance] is refused by the lock in the database', async () => {
    const first = await startServer({ dataDir });
    await insertText(first.connection, 'unseen');
    for (const name of await readdir(first.location.socket))
      if (name.startsWith('owner.')) await rm(join(first.location.socket, name));
    expect(await getRefusal({ dataDir })).toMatch(
      /^EmbeddedServerError: Another Stoa already uses the database/,
    );
    expect(await listRows(first.connection)).toContain('unseen');
  });

  it('[start.second-instance] one of many that claim at once becomes the owner', async () => {
    const at = await createFolder();
    for (let round = 0; round < 5; round++) {
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => claimOwnership(at, 'service')),
      );
      const locks = claims.flatMap((one): OwnerLock[] => ('lock' in one ? [one.lock] : []));
      expect(locks).toHaveLength(1);
      expect(await claimOwnership(at, 'service')).toEqual({
        owner: { pid: process.pid, kind: 'service' },
      });
      await locks[0]?.release();
    }
  });
});

describe('attach', () => {
  it('[start.attach] uses the database of the running service and leaves it running', async () => {
    const service = await startElsewhere({ dataDir });
    const tool = await startServer({ dataDir, attach: true });
    expect(tool.connection).toEqual(service.connection);
    expect(tool.location).toEqual(service.location);
    await insertText(tool.connection, 'by the tool');
    await tool.stop();
    expect(await listRows(service.connection)).toContain('by the tool');
    expect(await stopElsewhere(service)).toBe(0);
  });

  it('[start.attach] starts and stops the database when no service runs', async () => {
    const service = await startElsewhere({ dataDir });
    await kill(service.child);
    const tool = await startServer({ dataDir, attach: true });
    await insertText(tool.connection, 'alone');
    await tool.stop();
    expect(await getPostmaster(tool.location.data)).toBeNaN();
    expect(await listRows((await startServer({ dataDir })).connection)).toContain('alone');
  });

  it('[start.attach] waits for a starting service, and a service waits for a tool', async () => {
    const dataDir = join(await createFolder(), 'data');
    const [service, tool] = await Promise.all([
      startElsewhere({ dataDir }),
      startElsewhere({ dataDir, attach: true }).then(async (one) => ({
        ...one,
        code: await stopElsewhere(one),
      })),
    ]);
    expect({ serviceError: service.error, toolError: tool.error, toolCode: tool.code }).toEqual({
      serviceError: undefined,
      toolError: undefined,
      toolCode: 0,
    });
    await insertText(service.connection, 'kept');
    expect(await listRows(service.connection)).toEqual(['kept']);
  });
});
