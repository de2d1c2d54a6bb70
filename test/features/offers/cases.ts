import { sql } from '../../../src/db/sql.ts';
import { availableAccount } from '../../../src/features/ledger/rules.ts';
import { MAX_OPEN } from '../../../src/features/offers/open-offers.rules.ts';
import { agents, members, ownerOfHidden, ownerOfPrivate } from '../../operations/access.ts';
import type { OperationInput } from '../../operations/fixture.ts';
import {
  byOwner,
  callAfter,
  inputOf,
  nowhere,
  onId,
  refusedTo,
  versionedAck,
} from '../../operations/inputs.ts';
import type {
  CaseSetup,
  ErrorCases,
  MakeCall,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import { creditHelpers, issueEarned } from '../credits/setup.ts';
import { fillOffers } from './setup.ts';

/** A call about one of two offers of the owner, which are for the member where `confirmed`. */
const callAboutOffer =
  (
    who: 'owner' | 'member',
    confirmed: boolean,
    buildBody?: (setup: CaseSetup) => object,
  ): MakeCall =>
  async (setup) => {
    const { app, f, fixture } = setup;
    const p = creditHelpers(app, f);
    const sender = {
      ...fixture.owner,
      forumKey: fixture.owner.key,
      key: await f.getKeyWithScope(fixture.owner, 'credits'),
    };
    await p.payFromGrant(sender, 2);
    const createOffer = async () => {
      const recipient = confirmed ? { recipient: fixture.member.id } : {};
      return onId((await p.createOffer(sender, 1, recipient)).id, buildBody?.(setup));
    };
    return {
      input: await createOffer(),
      as: { key: await f.getKeyWithScope(fixture[who], 'credits') },
      other: await createOffer(),
    };
  };

const firstVersion = { expectedVersion: 1 };
const calls = {
  getOffer: callAboutOffer('member', true),
  confirmOfferRecipient: callAboutOffer('owner', false, ({ fixture }) => ({
    recipient: fixture.member.handle,
    expectedVersion: 1,
  })),
  acceptOffer: callAboutOffer('member', true, () => firstVersion),
  declineOffer: callAboutOffer('member', true, () => firstVersion),
  cancelOffer: callAboutOffer('owner', false, () => firstVersion),
};

const cancelOffer = async ({ f, fixture }: CaseSetup, id: string) =>
  f.ok('POST', `/api/v1/offers/${id}/cancel`, {
    key: await f.getKeyWithScope(fixture.owner, 'credits'),
    body: firstVersion,
  });
/** To the last version that an offer may have. */
const raiseVersion = ({ app }: CaseSetup, id: string) =>
  app.app.env.db.run(sql`UPDATE records SET version = 200 WHERE id = ${id}`);

/** How a step of an offer is refused; `other` is the party that may not take it. */
const stepErrors = (call: MakeCall, other: 'owner' | 'member'): ErrorCases => ({
  not_found: callAfter(call, null, ({ body }) => onId(nowhere, body as object)),
  forbidden: refusedTo(other, inputOf(call), 'credits'),
  version_conflict: callAfter(call, null, () => ({ body: { expectedVersion: 9 } })),
  state_conflict: callAfter(call, cancelOffer, ({ params, body = {} }) => ({
    params,
    body: { ...(body as object), expectedVersion: 2 },
  })),
});

const confirm =
  (who: 'owner' | 'member', expectedVersion: number) =>
  (_: OperationInput, { fixture }: CaseSetup) => ({
    body: { recipient: fixture[who].handle, expectedVersion },
  });

const refusedGift = (buildBody: (setup: CaseSetup) => object): MakeErrorCase =>
  refusedTo(
    'owner',
    (setup) => ({ body: { kind: 'gift', amount: 1, ...buildBody(setup) } }),
    'credits',
  );

export const cases: OperationCases = {
  createOffer: {
    call: async ({ app, f, fixture: { owner, member } }) => {
      await creditHelpers(app, f).payFromGrant(owner, 2);
      const buildInput = (more: object) => ({ body: { kind: 'gift', amount: 1, ...more } });
      return {
        input: buildInput({ recipient: member.handle }),
        as: { key: await f.getKeyWithScope(owner, 'credits') },
        other: buildInput({ note: 'Thanks' }),
      };
    },
    errors: {
      not_found: refusedGift(() => ({ recipient: 'nobody-at-all' })),
      not_eligible: refusedGift(({ fixture }) => ({ recipient: fixture.owner.handle })),
      insufficient_funds: refusedGift(() => ({ amount: 1_000_000 })),
      limit_exceeded: async ({ app, f }) => {
        const sender = await f.createAgent();
        await issueEarned(app, availableAccount('earned', sender.id), MAX_OPEN + 1);
        await fillOffers(app, sender.id, MAX_OPEN);
        return {
          input: { body: { kind: 'gift', amount: 1 } },
          as: { key: await f.getKeyWithScope(sender, 'credits') },
        };
      },
    },
    access: [
      {
        // Each caller gives away a unit of its own.
        input: async ({ app, f, fixture, caller }) => {
          if (caller in fixture && caller !== 'blocked')
            await creditHelpers(app, f).payFromGrant(fixture[caller as 'owner'], 1);
          return { body: { kind: 'gift', amount: 1 } };
        },
        expected: agents,
      },
    ],
    ack: versionedAck,
    idempotency: 'required',
  },
  listOffers: {
    call: byOwner(undefined, undefined, 'credits'),
    access: agents,
    list: {
      order: ['createdAt', 'id'],
      arrange: async ({ app, f }) => {
        const giver = await f.createAgent();
        const as = { key: await f.getKeyWithScope(giver, 'credits') };
        return {
          as,
          createRow: async () => {
            await issueEarned(app, availableAccount('earned', giver.id), 1);
            await f.ok('POST', '/api/v1/offers', { ...as, body: { kind: 'gift', amount: 1 } });
          },
        };
      },
    },
  },
  getOffer: {
    call: calls.getOffer,
    errors: { not_found: callAfter(calls.getOffer, null, () => onId(nowhere)) },
    access: [{ on: 'of the owner, for the member', expected: members }],
  },
  confirmOfferRecipient: {
    call: calls.confirmOfferRecipient,
    errors: {
      not_found: callAfter(calls.confirmOfferRecipient, null, () => onId(nowhere)),
      forbidden: callAfter(calls.acceptOffer, null, confirm('member', 1)),
      version_conflict: callAfter(calls.confirmOfferRecipient, null, confirm('member', 9)),
      state_conflict: callAfter(calls.confirmOfferRecipient, cancelOffer, confirm('member', 2)),
      not_eligible: callAfter(calls.confirmOfferRecipient, null, confirm('owner', 1)),
      limit_exceeded: callAfter(calls.confirmOfferRecipient, raiseVersion, confirm('member', 200)),
    },
    access: [{ on: 'of the owner', expected: ownerOfHidden }],
    ack: versionedAck,
    idempotency: 'required',
  },
  acceptOffer: {
    call: calls.acceptOffer,
    errors: stepErrors(calls.acceptOffer, 'owner'),
    access: [{ on: 'of the owner, for the member', expected: { ...members, owner: 'forbidden' } }],
    ack: versionedAck,
    idempotency: 'required',
  },
  declineOffer: {
    call: calls.declineOffer,
    errors: stepErrors(calls.declineOffer, 'owner'),
    access: [{ on: 'of the owner, for the member', expected: { ...members, owner: 'forbidden' } }],
    ack: versionedAck,
    idempotency: 'required',
  },
  cancelOffer: {
    call: calls.cancelOffer,
    errors: {
      ...stepErrors(calls.cancelOffer, 'member'),
      // The member knows only of offers that are for it.
      forbidden: refusedTo('member', inputOf(calls.acceptOffer), 'credits'),
    },
    access: [
      {
        on: 'of the owner, for the member',
        input: inputOf(calls.acceptOffer),
        expected: ownerOfPrivate,
      },
    ],
    ack: versionedAck,
    idempotency: 'required',
  },
};
