import { expect, it } from 'vitest';
import type { Transaction } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import { lockTargets } from '../../../src/features/campaigns/dispatch-targets.store.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';
import { buildVariants, campaignHelpers, campaignSettings } from './setup.ts';

const app = await startApp(campaignSettings, { manualJobs: true });
const f = factories(app);
const a = campaignHelpers(f);
const ROOMS = 500;
const MAX = 50;

it('[attack.24-2] (API4) a dispatch compares no room with each other one', async () => {
  const owner = await f.createAgent();
  const first = await a.createRoom(owner);
  await app.app.env.db.run(sql`
    INSERT INTO rooms (id, name, visibility, owner_id, member_count, accepts_notices, created_at)
    SELECT gen_random_uuid(), 'One of many', 'public', owner_id, 0, true, created_at
    FROM rooms
    CROSS JOIN generate_series(2, ${ROOMS})
    WHERE id = ${first}
  `);
  await app.app.env.db.run(sql`ANALYZE rooms`);
  const id = await a.createPrepared({ variants: buildVariants('One', 'Two') });
  const choice = { variantIds: null, roomIds: null };
  const countVisits = (part: string) =>
    countVisitedBy(app.app.env.db, part, async (counting) => {
      const found = await lockTargets(counting as Transaction, id, choice, MAX);
      expect(new Set(found.map(({ roomId }) => roomId)).size).toBe(MAX);
    });
  expect(await countVisits('targets')).toBe(2 * ROOMS);
  expect(await countVisits('turns')).toBeLessThanOrEqual(2 * MAX);
  expect(await countVisits('rooms')).toBeLessThan(5 * ROOMS);
});
