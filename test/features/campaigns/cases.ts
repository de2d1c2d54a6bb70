import { sql } from '../../../src/db/sql.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { administrators, everyone, nobody } from '../../operations/access.ts';
import {
  administrator,
  byAdministrator,
  byAnyone,
  onId,
  onMissing,
} from '../../operations/inputs.ts';
import type {
  AccessRow,
  BuildInput,
  CaseSetup,
  ListCase,
  MakeErrorCase,
  OperationCases,
  ReadBack,
} from '../../operations/operation-case.ts';
import type { TestApp } from '../../support/app.ts';
import { buildCampaign, campaignHelpers } from './setup.ts';

const buildSending = (place = 'A list') => ({ variantId: 'a', place });

const onDraft: BuildInput = async ({ f }) => onId(await campaignHelpers(f).createDraft());
const onPrepared: BuildInput = async ({ f }) => onId(await campaignHelpers(f).createPrepared());

/** A step of a campaign, after something has happened to it. */
const callAfter =
  (
    make: 'createDraft' | 'createPrepared',
    prepare: ((id: string, setup: CaseSetup) => Promise<unknown>) | null,
    body?: object,
  ): MakeErrorCase =>
  async (setup) => {
    const id = await campaignHelpers(setup.f)[make]();
    await prepare?.(id, setup);
    return { input: onId(id, body), as: administrator };
  };
const stopCampaign = (id: string, { f }: CaseSetup) => campaignHelpers(f).expectStep(id, 'stop');
const recordSending = (id: string, { f }: CaseSetup) =>
  campaignHelpers(f).expectStep(id, 'sendings', buildSending());
/** As many sendings as a day allows. */
const fillCampaign = async (id: string, { f }: CaseSetup) => {
  for (const place of ['One list', 'Another list'])
    await campaignHelpers(f).expectStep(id, 'sendings', buildSending(place));
};

const readers: readonly AccessRow[] = [
  { on: 'published', input: onPrepared, expected: everyone },
  { on: 'a draft', input: onDraft, expected: nobody },
];

/** Past the service: an administrator's act is a row of another list. */
async function insertCampaign({ app }: TestApp): Promise<string> {
  const { db, newId, clock } = app.env;
  const id = newId();
  const at = toIso(clock());
  await db.run(sql`
    INSERT INTO campaigns (
      id, name, purpose, audience, disclosures, overrides, state, created_at, prepared_at
    )
    VALUES (${id}, 'A campaign', 'A purpose', 'All', '{Told}', true, 'dispatching', ${at}, ${at})
  `);
  await db.run(sql`
    INSERT INTO campaign_variants (campaign_id, id, position, text, notice)
    VALUES (${id}, 'a', 1, 'Text', 'Notice')
  `);
  return id;
}
/** Every campaign of the installation, whichever list it was created for. */
const countCampaigns = async ({ app }: TestApp): Promise<number> =>
  (await app.env.db.first<{ n: number }>(sql`SELECT count(*) AS n FROM campaigns`))?.n ?? 0;
const listOfCampaigns = (createsRows: boolean): ListCase => ({
  order: ['createdAt', 'id'],
  arrange: ({ app }) => ({
    ...(createsRows && { createRow: () => insertCampaign(app) }),
    count: () => countCampaigns(app),
  }),
});

/** Reads a member of the newest campaign back, as administrators see it. */
const readFromCampaign =
  (find: (campaign: Record<string, unknown>) => unknown): ReadBack =>
  async ({ f }) =>
    find((await f.ok('GET', '/api/v1/admin/campaigns', administrator))[0]);

export const cases: OperationCases = {
  listCampaigns: { call: byAnyone(), access: everyone, list: listOfCampaigns(true) },
  getCampaign: {
    call: byAnyone(onPrepared),
    errors: { not_found: onMissing() },
    access: readers,
  },
  listCampaignSendings: {
    call: byAnyone(onPrepared),
    errors: { not_found: onMissing() },
    access: readers,
    list: {
      order: ['sentAt', 'id'],
      total: true,
      arrange: async ({ app }) => {
        const { db, newId, clock } = app.app.env;
        const id = await insertCampaign(app);
        return {
          input: onId(id),
          createRow: () =>
            db.run(sql`
              INSERT INTO campaign_sendings (
                id, campaign_id, variant_id, place, receipt_id, sent_at
              )
              VALUES (${newId()}, ${id}, 'a', ${newId()}, ${newId()}, ${toIso(clock())})
            `),
        };
      },
    },
  },
  showCampaigns: { call: byAnyone(), access: everyone },
  createCampaign: {
    call: byAdministrator(
      () => ({ body: buildCampaign() }),
      () => ({ body: buildCampaign({ name: 'Another' }) }),
    ),
    access: administrators,
    ack: ['createdAt', 'id', 'state'],
    idempotency: 'required',
    names: { name: readFromCampaign(({ name }) => name) },
  },
  listAllCampaigns: {
    call: byAdministrator(),
    access: administrators,
    // Its rows are those of listCampaigns.
    list: listOfCampaigns(false),
  },
  prepareCampaign: {
    call: byAdministrator(onDraft, onDraft),
    errors: {
      not_found: onMissing(administrator),
      state_conflict: callAfter('createPrepared', null),
    },
    access: administrators,
    ack: ['createdAt', 'id', 'notices', 'state'],
    idempotency: 'required',
  },
  dispatchCampaign: {
    call: async ({ f, fixture: { owner, publicRoom } }) => {
      const a = campaignHelpers(f);
      await a.setAcceptsNotices(owner, publicRoom, true);
      // The author of notices comes into being with the first one.
      await a.expectStep(await a.createPrepared(), 'dispatch', { roomIds: [publicRoom] });
      const id = await a.createPrepared();
      return {
        input: onId(id, { roomIds: [publicRoom] }),
        as: administrator,
        other: onId(id, { roomIds: [publicRoom], variantIds: ['a'] }),
      };
    },
    errors: {
      not_found: onMissing(administrator),
      state_conflict: callAfter('createDraft', null),
      limit_exceeded: callAfter('createPrepared', async (id, setup) => {
        await fillCampaign(id, setup);
        await campaignHelpers(setup.f).createRoom(await setup.f.createAgent());
      }),
    },
    access: administrators,
    ack: ['createdAt', 'id', 'remaining', 'sendings', 'state'],
    idempotency: 'required',
  },
  recordSending: {
    call: async ({ f }) => {
      const id = await campaignHelpers(f).createPrepared();
      return {
        input: onId(id, buildSending()),
        as: administrator,
        other: onId(id, buildSending('Another list')),
      };
    },
    errors: {
      not_found: onMissing(administrator, buildSending()),
      state_conflict: callAfter('createPrepared', stopCampaign, buildSending()),
      already_exists: callAfter('createPrepared', recordSending, buildSending()),
      limit_exceeded: callAfter('createPrepared', fillCampaign, buildSending('A third list')),
    },
    access: administrators,
    ack: ['createdAt', 'id', 'receiptId', 'state', 'text'],
    idempotency: 'required',
    names: {
      place: readFromCampaign(({ sendings }) => (sendings as { place: string }[])[0]?.place),
    },
  },
  stopCampaign: {
    call: async ({ f }) => {
      const id = await campaignHelpers(f).createPrepared();
      return { input: onId(id), as: administrator, other: onId(id, { reason: 'A mistake.' }) };
    },
    errors: {
      not_found: onMissing(administrator),
      state_conflict: callAfter('createPrepared', stopCampaign),
    },
    access: administrators,
    ack: ['createdAt', 'id', 'state'],
    idempotency: 'required',
  },
};
