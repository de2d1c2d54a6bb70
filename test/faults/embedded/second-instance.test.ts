import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claim, type OwnerLock } from '../../../src/db/embedded/owner-lock.ts';
import {
  add,
  clean,
  cleanAll,
  folder,
  kill,
  postmasterOf,
  refusal,
  rows,
  start,
  startElsewhere,
  stopElsewhere,
} from '../../../src/db/embedded/testbed.ts';

afterEach(clean);
afterAll(cleanAll);

let dataDir: string;
beforeAll(async () => {
  dataDir = await folder();
});

describe('a second instance on the same DATA_DIR', { timeout: 60_000 }, () => {
  it('[start.second-instance] is refused with a sentence, and the first is not harmed', async () => {
    const first = await start({ dataDir });
    await add(first.connection, 'first');
    const pid = await postmasterOf(first.location.data);
    const sentence = `in use by another Stoa (process ${process.pid}): stop that one first`;
    expect(await refusal({ dataDir })).toContain(sentence);
    expect((await startElsewhere({ dataDir })).error).toContain(sentence);
    expect(await postmasterOf(first.location.data)).toBe(pid);
    expect(await rows(first.connection)).toContain('first');
  });

  it('[start.second-instance] is refused while the first is still making the database: of four at once one serves', async () => {
    const dataDir = join(await folder(), 'data');
    const all = await Promise.all([1, 2, 3, 4].map(() => startElsewhere({ dataDir })));
    const winners = all.filter(({ error }) => error === undefined);
    expect(winners).toHaveLength(1);
    for (const { error } of all)
      expect(error ?? 'in use by another Stoa').toContain('in use by another Stoa');
    const [winner] = winners;
    if (!winner) return;
    await add(winner.connection, 'served');
    expect(await rows(winner.connection)).toEqual(['served']);
  });

  it('[start.second-instance] is refused by the lock in the database when the first cannot be asked', async () => {
    const first = await start({ dataDir });
    await add(first.connection, 'unseen');
    for (const name of await readdir(first.location.socket))
      if (name.startsWith('owner.')) await rm(join(first.location.socket, name));
    expect(await refusal({ dataDir })).toMatch(
      /^EmbeddedServerError: Another Stoa already uses the database/,
    );
    expect(await rows(first.connection)).toContain('unseen');
  });

  it('[start.second-instance] of many that claim at once one gets it, also after the owner is gone', async () => {
    const at = await folder();
    for (let round = 0; round < 5; round++) {
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(at, 'service')));
      const locks = claims.flatMap((one): OwnerLock[] => ('lock' in one ? [one.lock] : []));
      expect(locks).toHaveLength(1);
      expect(await claim(at, 'service')).toEqual({ owner: { pid: process.pid, kind: 'service' } });
      await locks[0]?.release();
    }
  });
});

describe('attach', { timeout: 60_000 }, () => {
  it('[start.attach] uses the database of the running service and leaves it running', async () => {
    const service = await startElsewhere({ dataDir });
    const tool = await start({ dataDir, attach: true });
    expect(tool.connection).toEqual(service.connection);
    expect(tool.location).toEqual(service.location);
    await add(tool.connection, 'by the tool');
    await tool.stop();
    expect(await rows(service.connection)).toContain('by the tool');
    expect(await stopElsewhere(service)).toBe(0);
  });

  it('[start.attach] starts the database and stops it at the end when no service runs, also after one was killed', async () => {
    const service = await startElsewhere({ dataDir });
    await kill(service.child);
    const tool = await start({ dataDir, attach: true });
    await add(tool.connection, 'alone');
    await tool.stop();
    expect(await postmasterOf(tool.location.data)).toBeNaN();
    expect(await rows((await start({ dataDir })).connection)).toContain('alone');
  });

  it('[start.attach] waits for a service that is starting, and a service for a tool at work', async () => {
    const dataDir = join(await folder(), 'data');
    const [service, tool] = await Promise.all([
      startElsewhere({ dataDir }),
      startElsewhere({ dataDir, attach: true }).then(async (one) => ({
        ...one,
        code: await stopElsewhere(one),
      })),
    ]);
    expect([service.error, tool.error, tool.code]).toEqual([undefined, undefined, 0]);
    await add(service.connection, 'kept');
    expect(await rows(service.connection)).toEqual(['kept']);
  });
});
