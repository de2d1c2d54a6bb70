import { expect } from 'vitest';
import { compareReputation } from '../../../../src/cli/reputation.ts';
import { sql } from '../../../../src/db/sql.ts';
import type { TestApp } from '../../../support/app.ts';
import type { Answer, Json } from '../../../support/factories.ts';
import { JudgingStage } from './judging-stage.ts';
import type { Actor } from './stage.ts';

/** The stage with honest agents, which act in between, and with the comparison at the end. */
export class World extends JudgingStage {
  private honest: readonly Actor[] = [];
  private isHonestTurn = true;

  /** Makes the honest agents. Until then nobody acts by itself. */
  async begin(): Promise<void> {
    this.honest = await this.createAgents(4);
    await this.fund(this.honest[0] as Actor, 500);
    this.isHonestTurn = false;
  }

  /** Before one in five mutations of a scheme, somebody who has no part in it acts. */
  override async send(...call: Parameters<JudgingStage['send']>): Promise<Answer<Json>> {
    if (!this.isHonestTurn && call[1] === 'POST' && this.below(5) === 0) await this.actHonestly();
    return super.send(...call);
  }

  private async actHonestly(): Promise<void> {
    this.isHonestTurn = true;
    const kind = this.below(4);
    const isRight = this.below(2) === 0;
    const [owner, worker, friend, critic] = this.honest as [Actor, Actor, Actor, Actor];
    if (kind === 0) {
      const gift = await this.offer(owner, friend, 1 + this.below(3));
      expect(
        await this.endOffer(isRight ? friend : owner, gift, isRight ? 'accept' : 'cancel'),
      ).toBe(true);
    } else if (kind === 1) {
      const fixture = await this.createFixture(owner);
      const task = await this.mustPostTask(owner, { fixture, reward: 1 + this.below(3) });
      const id = await this.mustTake(worker, task);
      if (isRight) expect(await this.submit(worker, id, this.below(2) === 0)).toBe(true);
      else expect(await this.abandon(worker, id)).toBe(true);
    } else if (kind === 2) await this.recordDelivery(critic, worker);
    else {
      const task = await this.mustPostTask(owner, { slots: 1 + this.below(3), reward: 1 });
      if (isRight) expect(await this.cancel(owner, task)).toBe(true);
    }
    this.isHonestTurn = false;
  }

  /** Compares everything with the model: balances, grants, findings, work and reputations. */
  async check(): Promise<void> {
    await this.checkBalances();
    await this.checkGrants();
    for (const { id, rounds } of this.judging.cases.values()) {
      const stored = await this.must(null, 'GET', `adjudication/cases/${id}`);
      expect(
        stored.rounds.map(({ outcome }: Json) => outcome?.result ?? null),
        `results of case ${id}`,
      ).toEqual(rounds.map(({ result }) => result));
    }
    for (const { id, state } of this.money.assignments.values())
      expect((await this.must(null, 'GET', `assignments/${id}`)).state).toBe(state);
    for (const { id } of this.judging.interactions.values())
      expect((await this.must(null, 'GET', `interactions/${id}`)).finding).toBe(
        this.judging.getFinding(id),
      );
    await this.checkReputations();
  }

  private async checkBalances(): Promise<void> {
    const ids = [...this.money.agents.keys()];
    const rows = await this.app.app.env.db.rows<{ agent: string; account: string; units: number }>(
      sql`
        SELECT agent_id AS agent, unit || ' ' || purpose AS account, balance AS units
        FROM ledger_accounts
        WHERE agent_id = ANY(${ids}::uuid[]) AND balance <> 0
      `,
    );
    const expected = [...this.money.agents.values()].flatMap(({ id, trial, earned, reserved }) =>
      Object.entries({
        'earned available': earned,
        'earned reserved': reserved,
        'trial available': trial,
      }).flatMap(([account, units]) => (units === 0 ? [] : [{ agent: id, account, units }])),
    );
    const sort = (some: readonly (typeof rows)[0][]) =>
      some.map(({ agent, account, units }) => `${agent} ${account} ${units}`).sort();
    expect(sort(rows)).toEqual(sort(expected));
  }

  private async checkGrants(): Promise<void> {
    const shown: Json[] = await this.must(null, 'GET', 'subsidies?limit=100');
    for (const [id, { amount }] of this.money.grants) {
      const tasks = [...this.money.tasks.values()].filter(({ grant }) => grant === id);
      const paid = tasks.reduce((sum, task) => sum + task.paid * task.reward, 0);
      const used = this.money.sumUsed(id);
      expect(this.money.listBrokenLimits(id)).toEqual([]);
      expect(shown.find((grant) => grant.id === id)).toMatchObject({
        paid,
        reserved: used - paid,
        remaining: amount - used,
      });
    }
  }

  private async checkReputations(): Promise<void> {
    for (const target of new Set(
      [...this.judging.interactions.values()].map((one) => one.target),
    )) {
      const expected = this.judging.findReputation(target);
      if (expected === null) continue;
      const { operators, score } = await this.must(null, 'GET', `reputation/agent/${target}`);
      const { knownIndependent } = operators;
      expect({ knownIndependent, value: score.value }).toEqual(expected);
    }
    const tables = await compareReputation(this.app.app.env.db);
    expect(tables.filter(({ differences }) => differences > 0)).toEqual([]);
  }
}

/** A way in which somebody tries to gain what the rules do not give. */
export type Scheme = (world: World) => Promise<void>;

/**
 * STOA_SCHEME_SEEDS=20 tries every scheme with more seeds, and STOA_SCHEME_FIRST=<seed> with
 * STOA_SCHEME_SEEDS=1 repeats one.
 */
const SEEDS = Number(process.env.STOA_SCHEME_SEEDS ?? 1);
const FIRST = Number(process.env.STOA_SCHEME_FIRST ?? 1);

/** The name of each scheme with each seed, for `it.each`. */
export const listRuns = (schemes: Readonly<Record<string, Scheme>>) =>
  Object.keys(schemes).flatMap((name) =>
    Array.from({ length: SEEDS }, (_, index) => [name, FIRST + index] as const),
  );

/** Tries a scheme in a world of its own, and compares what came of it with the rules. */
export async function tryScheme(
  app: TestApp,
  scheme: Scheme | undefined,
  seed: number,
): Promise<void> {
  const world = new World(app, seed);
  await world.begin();
  await scheme?.(world);
  await world.check();
}
