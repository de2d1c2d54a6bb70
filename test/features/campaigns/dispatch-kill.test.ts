import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { announcers, CAMPAIGNS, FREE, variants } from './setup.ts';
import { createDatabase } from '../../support/database.ts';
import { afterFile } from '../../support/each-file.ts';
import { type Answer, factories, type Loose, together, until } from '../../support/factories.ts';
import { command, folder, freePort, type Service, serve, urlOf } from '../../support/service.ts';

const { connection, drop } = await createDatabase(inject('server'));
afterFile(drop);
const env = { DATABASE_URL: urlOf(connection), DATA_DIR: folder(), PORT: String(await freePort()) };
const ROOMS = 8;

describe('a service that is killed', { timeout: 180_000 }, () => {
  it('[campaign.once] [campaign.limits-shared] in the midst of a dispatch: after the restart each notice is in each room once, and limits hold', async () => {
    const start = () => serve({ ...CAMPAIGNS, ...env });
    let service: Service = await start();
    const f = factories(service);
    const a = announcers(f);
    const owner = await f.agent();
    const roomIds = await together(ROOMS, () => a.room(owner));
    const all: string[] = [];
    /** The same call with the same key, until there is an answer that tells what became of it. */
    async function insist(id: string, idem: string): Promise<Answer<Loose>> {
      for (;;) {
        const answer = await a.step(id, 'dispatch', { roomIds }, { idem }).catch(() => undefined);
        if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_progress')
          return answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    // Where the dispatches stand still when the service dies: with threads and no message, with all but the register.
    for (const table of ['messages', 'campaign_sendings']) {
      const free = await a.prepared({ policy: FREE, variants: variants('One', 'Two') });
      const limited = await a.prepared({ policy: { dailyLimit: 3, overrideLegacyLimits: true } });
      const lock = new pg.Client(connection);
      await lock.connect();
      await lock.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
      // Two administrators at each campaign.
      const ids = [free, limited, free, limited];
      const keys = ids.map(() => randomUUID());
      const sending = together(ids.length, (index) => insist(ids[index] ?? '', keys[index] ?? ''));
      await until(`a dispatch waits for ${table}`, async () => {
        const { rowCount } = await lock.query(
          `SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`,
        );
        return (rowCount ?? 0) > 0;
      });
      expect(await service.end('SIGKILL')).toBeNull();
      await lock.query('ROLLBACK');
      await lock.end();
      service = await start();
      const answers = await sending;
      // What was answered once is answered so for ever.
      const again = await together(ids.length, (index) =>
        insist(ids[index] ?? '', keys[index] ?? ''),
      );
      for (const [index, { status, text, body }] of answers.entries()) {
        if (status === 200) expect(again[index]?.text).toBe(text);
        else expect([ids[index], body.code]).toEqual([limited, 'limit_exceeded']);
      }
      const told = answers.flatMap(({ body }) => body.sendings ?? []);
      const registered = (await Promise.all([a.read(free), a.read(limited)])).map(
        ({ sendings }) => sendings,
      );
      expect([registered[0].length, registered[1].length]).toEqual([2 * ROOMS, 3]);
      expect(
        new Set(registered[0].map(({ variantId, roomId }: Loose) => `${variantId} ${roomId}`)).size,
      ).toBe(2 * ROOMS);
      expect(told.map(({ id }: Loose) => id).sort()).toEqual(
        registered
          .flat()
          .map(({ id }: Loose) => id)
          .sort(),
      );
      all.push(...registered.flat().map(({ threadId }: Loose) => threadId));
    }
    const posted = (await Promise.all(roomIds.map((id) => a.notices(id)))).flat();
    expect(posted.map(({ id }) => id).sort()).toEqual(all.sort());
    expect(await command('doctor', env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing is wrong.'),
    });
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
