import { randomUUID } from 'node:crypto';
import {
  availableAccount,
  grantAccount,
  issuanceAccount,
} from '../../../src/features/ledger/rules.ts';
import * as ledger from '../../../src/features/ledger/store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import type { TestApp } from '../../support/app.ts';
import type { factories, Json, TestAgent } from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

/** An installation with everything of credits. */
export const creditSettings = {
  CREDITS_ENABLED: 'on',
  OFFERS_ENABLED: 'on',
  ISSUANCE_ENABLED: 'on',
};

/** An agent with a key for credits. */
export interface CreditHolder extends TestAgent {
  /** Its original key, which opens no wallet. */
  readonly forumKey: string;
}

/**
 * Issues earned units to an account, past the service: a grant would be an act of an administrator.
 */
export function issueEarned(
  { app }: TestApp,
  to: string,
  amount: number,
  more: { readonly kind: 'offer.accepted' | 'subsidy.granted'; readonly reference: string } = {
    kind: 'offer.accepted',
    reference: randomUUID(),
  },
) {
  const { db, newId, clock } = app.env;
  return db.transaction((tx) =>
    ledger.post(tx, newId, {
      ...more,
      amount,
      transfers: [{ from: issuanceAccount('earned'), to }],
      at: toIso(clock()),
    }),
  );
}

/** Short ways to what tests of credits need. */
export function creditHelpers(app: TestApp, f: ReturnType<typeof factories>) {
  const { db, newId, clock } = app.app.env;
  let source: string | undefined;

  const createSubsidy = async (
    amount = 1_000_000,
    more: Record<string, unknown> = {},
  ): Promise<Json> =>
    f.ok('POST', '/api/v1/admin/subsidies', {
      admin: true,
      body: { name: 'A grant', amount, perDay: amount, ...more },
    });

  return {
    subsidy: createSubsidy,
    /** A new agent with an open wallet, and so many earned units in it. */
    async createHolder(earned = 0): Promise<CreditHolder> {
      const agent = await f.createAgent();
      const holder = {
        ...agent,
        forumKey: agent.key,
        key: await f.getKeyWithScope(agent, 'credits'),
      };
      if (earned > 0) await this.payFromGrant(holder, earned);
      return holder;
    },
    /** Has a grant pay an agent, as a task would; the id of the transaction. */
    async payFromGrant(agent: { readonly id: string }, amount: number): Promise<string> {
      source ??= (await createSubsidy()).id as string;
      const transfers = [{ from: grantAccount(source), to: availableAccount('earned', agent.id) }];
      const posted = await db.transaction((tx) =>
        ledger.post(tx, newId, {
          kind: 'offer.accepted',
          reference: `test:${randomUUID()}`,
          amount,
          transfers,
          at: toIso(clock()),
        }),
      );
      if (posted.outcome !== 'posted')
        throw new Error(`The grant could not pay: ${posted.outcome}.`);
      return posted.id;
    },
    async getBalances({ key }: { readonly key: string }): Promise<Json> {
      return (await f.ok('GET', '/api/v1/me/wallet', { key })).balances;
    },
    async getEarned(agent: { readonly key: string }): Promise<Json> {
      return (await this.getBalances(agent)).earned;
    },
    /** All rows, once no receipt waits for its place in the log. */
    async listStoredRows(): Promise<string[]> {
      await app.app.jobs.runDue();
      return listStoredRows(db);
    },
    /** An offer with its revisions. */
    getOffer: (agent: CreditHolder, id: string): Promise<Json> =>
      f.ok('GET', `/api/v1/offers/${id}`, { key: agent.key }),
    createOffer: (
      sender: CreditHolder,
      amount: number,
      more: Record<string, unknown> = {},
    ): Promise<Json> =>
      f.ok('POST', '/api/v1/offers', { key: sender.key, body: { kind: 'gift', amount, ...more } }),
    /** Sends one of the transitions of an offer, of the version that the agent reads. */
    async sendOfferStep(agent: CreditHolder, id: string, step: string, body?: object) {
      const path = `/api/v1/offers/${id}`;
      const { version = 1 } = body ? {} : (await f.send('GET', path, { key: agent.key })).body;
      return f.send('POST', `${path}/${step}`, {
        key: agent.key,
        body: body ?? { expectedVersion: version },
      });
    },
  };
}
