import { expect, it } from 'vitest';
import * as reputation from '../../../src/features/reputation/store.ts';
import * as subjects from '../../../src/features/subjects/store.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';
import { interactionHelpers, interactionSettings } from '../interactions/setup.ts';

const app = await startApp(interactionSettings, { manualJobs: true });
const f = factories(app);
const r = interactionHelpers(f);
const { db } = app.app.env;
const RECORDS = 12;

it('[attack.23-6] (API4) reads of a subject count nothing of what is recorded', async () => {
  const author = await f.createAgent();
  const target = await f.createAgent();
  const about = { agent: target.handle };
  for (let nr = 0; nr < RECORDS; nr++) await r.recordInteraction(author, about);
  await r.recordInteraction(author, about, { visibility: 'private' });
  const { id } = await r.recordInteraction(author, about);
  await r.reviseInteraction(author, id, { expectedVersion: 1, state: 'withdrawn' });
  for (let nr = 0; nr < 3; nr++)
    expect((await r.claimIdentity(author, target.id)).status).toBe(200);
  for (const table of ['interactions', 'identity_claims'])
    expect(
      await countVisitedBy(db, table, async (counting) => {
        expect(await subjects.find(counting, target.id, null)).toMatchObject({
          identityClaimCount: 3,
        });
        expect(await reputation.summarize(counting, target.id, true)).toEqual({
          interactionCount: RECORDS,
          hasReputation: true,
        });
      }),
    ).toBe(0);
});
