import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../support/database.ts';
import {
  type Answer,
  factories,
  type Json,
  runConcurrently,
  waitUntil,
} from '../../support/factories.ts';
import {
  createFolder,
  findFreePort,
  runCommand,
  type ServiceProcess,
  startService,
  toDatabaseUrl,
} from '../../support/service.ts';
import { buildVariants, campaignHelpers, campaignSettings, noLimits } from './setup.ts';

const connection = await createDatabase(inject('server'));
const env = {
  DATABASE_URL: toDatabaseUrl(connection),
  DATA_DIR: createFolder(),
  PORT: String(await findFreePort()),
};
const ROOMS = 8;

describe('dispatchCampaign when the service is killed', () => {
  it('[campaign.once] [campaign.limits-shared] sends each notice once a room', async () => {
    const startWithCampaigns = () => startService({ ...campaignSettings, ...env });
    let service: ServiceProcess = await startWithCampaigns();
    const f = factories(service);
    const a = campaignHelpers(f);
    const owner = await f.createAgent();
    const roomIds = await runConcurrently(ROOMS, () => a.createRoom(owner));
    const all: string[] = [];
    /** Repeats the call with the same key until an answer says how it ended. */
    async function sendUntilAnswered(id: string, idem: string): Promise<Answer<Json>> {
      for (;;) {
        const answer = await a
          .sendStep(id, 'dispatch', { roomIds }, { idem })
          .catch(() => undefined);
        if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_progress')
          return answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    // The dispatches stop at these points when the service dies: with threads but no message, and
    // with everything but the register.
    for (const table of ['messages', 'campaign_sendings']) {
      const free = await a.createPrepared({
        policy: noLimits,
        variants: buildVariants('One', 'Two'),
      });
      const limited = await a.createPrepared({
        policy: { dailyLimit: 3, overrideLegacyLimits: true },
      });
      const lock = new pg.Client(connection);
      await lock.connect();
      await lock.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
      // Two administrators dispatch each campaign.
      const ids = [free, limited, free, limited];
      const keys = ids.map(() => randomUUID());
      const sending = runConcurrently(ids.length, (index) =>
        sendUntilAnswered(ids[index] ?? '', keys[index] ?? ''),
      );
      await waitUntil(`a dispatch waits for ${table}`, async () => {
        const { rowCount } = await lock.query(
          `SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`,
        );
        return (rowCount ?? 0) > 0;
      });
      expect(await service.end('SIGKILL')).toBeNull();
      await lock.query('ROLLBACK');
      await lock.end();
      service = await startWithCampaigns();
      const answers = await sending;
      // A repeated call gets the stored answer for good.
      const again = await runConcurrently(ids.length, (index) =>
        sendUntilAnswered(ids[index] ?? '', keys[index] ?? ''),
      );
      for (const [index, { status, text, body }] of answers.entries()) {
        if (status === 200) expect(again[index]?.text).toBe(text);
        else
          expect({ id: ids[index], code: body.code }).toEqual({
            id: limited,
            code: 'limit_exceeded',
          });
      }
      const told = answers.flatMap(({ body }) => body.sendings ?? []);
      const registered = (await Promise.all([a.getCampaign(free), a.getCampaign(limited)])).map(
        ({ sendings }) => sendings,
      );
      expect({ registered: registered[0].length, refused: registered[1].length }).toEqual({
        registered: 2 * ROOMS,
        refused: 3,
      });
      expect(
        new Set(registered[0].map(({ variantId, roomId }: Json) => `${variantId} ${roomId}`)).size,
      ).toBe(2 * ROOMS);
      expect(told.map(({ id }: Json) => id).sort()).toEqual(
        registered
          .flat()
          .map(({ id }: Json) => id)
          .sort(),
      );
      all.push(...registered.flat().map(({ threadId }: Json) => threadId));
    }
    const posted = (await Promise.all(roomIds.map((id) => a.listNotices(id)))).flat();
    expect(posted.map(({ id }) => id).sort()).toEqual(all.sort());
    expect(await runCommand('doctor', env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing is wrong.'),
    });
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
