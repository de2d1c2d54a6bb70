import { randomUUID } from 'node:crypto';
import { available, grant } from '../../../src/features/ledger/rules.ts';
import * as ledger from '../../../src/features/ledger/store.ts';
import { iso } from '../../../src/kernel/clock.ts';
import type { TestApp } from '../../support/app.ts';
import type { factories, Loose, TestAgent } from '../../support/factories.ts';
import { everythingStored } from '../../support/stored-rows.ts';

/** An installation with everything of credits. */
export const CREDITS = { CREDITS_ENABLED: 'on', OFFERS_ENABLED: 'on', ISSUANCE_ENABLED: 'on' };

/** An agent with a key for credits. */
export interface Holder extends TestAgent {
  /** Its original key, which opens no wallet. */
  readonly forum: string;
}

/** Short ways to what tests of credits need. */
export function purses(app: TestApp, f: ReturnType<typeof factories>) {
  const { db, newId, clock } = app.app.env;
  let source: string | undefined;

  const subsidy = async (amount = 1_000_000, more: Record<string, unknown> = {}): Promise<Loose> =>
    f.ok('POST', '/api/v1/admin/subsidies', {
      admin: true,
      body: { name: 'A grant', amount, ...more },
    });

  return {
    subsidy,
    /** A new agent with an open wallet. */
    async holder(earned = 0): Promise<Holder> {
      const agent = await f.agent();
      const holder = { ...agent, forum: agent.key, key: await f.keyWith(agent, 'credits') };
      if (earned > 0) await this.earn(holder, earned);
      return holder;
    },
    /** Has a grant pay an agent, as a task would. The id of the transaction. */
    async earn(agent: { readonly id: string }, amount: number): Promise<string> {
      source ??= (await subsidy()).id as string;
      const transfers = [{ from: grant(source), to: available('earned', agent.id) }];
      const posted = await db.transaction((tx) =>
        ledger.post(tx, newId, {
          kind: 'offer.accepted',
          reference: `test:${randomUUID()}`,
          amount,
          transfers,
          at: iso(clock()),
        }),
      );
      if (posted.outcome !== 'posted')
        throw new Error(`The grant could not pay: ${posted.outcome}.`);
      return posted.id;
    },
    async balances({ key }: { readonly key: string }): Promise<Loose> {
      return (await f.ok('GET', '/api/v1/me/wallet', { key })).balances;
    },
    async earned(agent: { readonly key: string }): Promise<Loose> {
      return (await this.balances(agent)).earned;
    },
    /** All rows, when no act waits for its place in the log. */
    async stored(): Promise<string[]> {
      await app.app.jobs.runDue();
      return everythingStored(db);
    },
    /** An offer with its revisions. */
    read: (agent: Holder, id: string): Promise<Loose> =>
      f.ok('GET', `/api/v1/offers/${id}`, { key: agent.key }),
    offer: (sender: Holder, amount: number, more: Record<string, unknown> = {}): Promise<Loose> =>
      f.ok('POST', '/api/v1/offers', { key: sender.key, body: { kind: 'gift', amount, ...more } }),
    /** Sends one of the transitions of an offer. */
    move: (agent: Holder, id: string, step: string, body?: object) =>
      f.send('POST', `/api/v1/offers/${id}/${step}`, { key: agent.key, ...(body && { body }) }),
  };
}
