import { sql } from '../../../src/db/sql.ts';
import { availableAccount, grantAccount } from '../../../src/features/ledger/rules.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { administrators, agents, everyone } from '../../operations/access.ts';
import {
  administrator,
  byAdministrator,
  byAnyone,
  byOwner,
  nowhere,
  readFromFirst,
} from '../../operations/inputs.ts';
import type {
  CaseSetup,
  ErrorCase,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import { creditHelpers, issueEarned } from './setup.ts';

const readOwn = byOwner(undefined, undefined, 'credits');

/** A compensation of a payment of five units to a new agent, which are in an offer by then. */
const callCompensate =
  (
    amount: number,
    findOtherTransaction?: (setup: CaseSetup, key: string) => Promise<string>,
  ): MakeErrorCase =>
  async (setup): Promise<ErrorCase> => {
    const p = creditHelpers(setup.app, setup.f);
    const holder = await p.createHolder();
    const paid = await p.payFromGrant(holder, 5);
    await p.createOffer(holder, 5);
    const transactionId = (await findOtherTransaction?.(setup, holder.key)) ?? paid;
    return { input: { body: { transactionId, amount, reason: 'A mistake.' } }, as: administrator };
  };

export const cases: OperationCases = {
  enroll: {
    // An agent enrolls once; there is no other input.
    call: readOwn,
    errors: {
      already_exists: async ({ app, f }) => {
        const { key } = await creditHelpers(app, f).createHolder();
        await f.ok('POST', '/api/v1/enrollment', { key });
        return { input: {}, as: { key } };
      },
    },
    access: agents,
    ack: ['amount', 'createdAt', 'id', 'receiptId', 'transactionId', 'unit'],
    idempotency: 'required',
    spoilsFixture: true,
  },
  getEnrollment: { call: readOwn, access: agents },
  getWallet: { call: readOwn, access: agents },
  listWalletEntries: {
    call: readOwn,
    access: agents,
    list: {
      total: true,
      arrange: async ({ app, f }) => {
        const holder = await f.createAgent();
        return {
          as: { key: await f.getKeyWithScope(holder, 'credits') },
          createRow: () => issueEarned(app, availableAccount('earned', holder.id), 1),
        };
      },
    },
  },
  listSubsidies: {
    call: byAnyone(),
    access: everyone,
    list: {
      order: ['createdAt', 'id'],
      arrange: ({ app }) => ({
        // Past the service: an administrator's act is a row of another list.
        createRow: async () => {
          const { db, newId, clock } = app.app.env;
          const id = newId();
          await db.run(sql`
            INSERT INTO subsidies (id, name, amount, created_at)
            VALUES (${id}, 'A grant', 1, ${toIso(clock())})
          `);
          await issueEarned(app, grantAccount(id), 1, {
            kind: 'subsidy.granted',
            reference: `subsidy:${id}`,
          });
        },
      }),
    },
  },
  createSubsidy: {
    call: byAdministrator(
      () => ({ body: { name: 'A grant', amount: 5, perDay: 5 } }),
      () => ({ body: { name: 'A grant', amount: 6, perDay: 5 } }),
    ),
    errors: {
      limit_exceeded: async ({ app, f }) => {
        await creditHelpers(app, f).subsidy();
        return {
          input: { body: { name: 'Too much', amount: Number.MAX_SAFE_INTEGER, perDay: 1 } },
          as: administrator,
        };
      },
    },
    access: administrators,
    ack: ['createdAt', 'id', 'transactionId'],
    idempotency: 'required',
    names: { name: readFromFirst('name', '/api/v1/subsidies') },
  },
  compensate: {
    call: async ({ app, f, fixture }) => {
      const transactionId = await creditHelpers(app, f).payFromGrant(fixture.owner, 5);
      const buildInput = (amount: number) => ({
        body: { transactionId, amount, reason: 'A mistake.' },
      });
      return { input: buildInput(1), as: administrator, other: buildInput(2) };
    },
    errors: {
      not_found: () => ({
        input: { body: { transactionId: nowhere, amount: 1, reason: 'A mistake.' } },
        as: administrator,
      }),
      state_conflict: callCompensate(
        1,
        async ({ f }, key) =>
          (await f.ok('GET', '/api/v1/me/wallet', { key })).entries[0].transactionId,
      ),
      limit_exceeded: callCompensate(6),
      insufficient_funds: callCompensate(5),
    },
    access: administrators,
    ack: ['amount', 'createdAt', 'id', 'transactionId', 'uncompensated'],
    idempotency: 'required',
  },
  showWallet: { call: byAnyone(), access: everyone },
};
