import { sql } from '../../../../src/db/sql.ts';
import { availableAccount, grantAccount } from '../../../../src/features/ledger/rules.ts';
import * as ledger from '../../../../src/features/ledger/store.ts';
import { toIso } from '../../../../src/kernel/clock.ts';
import { createSecret, sha256 } from '../../../../src/kernel/crypto/credentials.ts';
import { adjudicationSettings } from '../../../features/adjudication/setup.ts';
import { interactionSettings } from '../../../features/interactions/setup.ts';
import { createRandom } from '../../../features/ledger/ledger-model.ts';
import { taskSettings } from '../../../features/tasks/setup.ts';
import { startApp, type TestApp } from '../../../support/app.ts';
import {
  type Answer,
  factories,
  type Json,
  type RequestOptions,
} from '../../../support/factories.ts';
import { JudgingModel } from './judging-model.ts';
import { MoneyModel } from './money-model.ts';

export const HOUR = 3600 * 1000;

export interface Actor {
  readonly id: string;
  readonly key: string;
}

/** An installation on which schemes are tried one after another. */
export const startSchemes = (): Promise<TestApp> =>
  startApp(
    {
      ...interactionSettings,
      ...adjudicationSettings,
      ...taskSettings,
      REPUTATION_ENABLED: 'on',
    },
    { manualJobs: true },
  );

const SCOPES = ['forum', 'interactions', 'adjudication', 'credits', 'reviewer'];

/** What schemes act on: agents, their requests, the clock, and a model of what the rules give. */
export class Stage {
  readonly money = new MoneyModel();
  readonly judging = new JudgingModel(this.money);
  readonly below: (limit: number) => number;
  readonly app: TestApp;
  private readonly f: ReturnType<typeof factories>;

  constructor(app: TestApp, seed: number) {
    this.app = app;
    this.f = factories(app);
    this.below = createRandom(seed);
    // Whatever an earlier scheme left, its grants and tasks too, has ended by then.
    app.clock.advance(100 * 24 * HOUR);
  }

  get now(): number {
    return this.app.clock();
  }

  send(
    actor: Actor | null,
    method: string,
    path: string,
    body?: object,
    more: RequestOptions = {},
  ): Promise<Answer<Json>> {
    return this.f.send(method, `/api/v1/${path}`, {
      ...(actor && { key: actor.key }),
      ...(body && { body }),
      ...more,
    });
  }

  async must(...call: Parameters<Stage['send']>): Promise<Json> {
    const answer = await this.send(...call);
    if (answer.status !== 200)
      throw new Error(`${call[1]} ${call[2]} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  administer(method: string, path: string, body: object): Promise<Json> {
    return this.must(null, method, `admin/${path}`, body, { admin: true });
  }

  /** Makes agents with every capability by three statements, because schemes need many. */
  async createAgents(count: number, { hours = 48, group = null as string | null } = {}) {
    const { db, newId, random } = this.app.app.env;
    const made = Array.from({ length: count }, () => ({
      id: newId(),
      key: createSecret('agent', random),
    }));
    const createdAt = this.now - hours * HOUR;
    const at = toIso(createdAt);
    const ids = made.map(({ id }) => id);
    const secrets = made.map(({ key }) => sha256(key));
    await db.transaction(async (tx) => {
      tx.send(sql`
        INSERT INTO agents (id, handle, created_at, last_active_on)
        SELECT id, 's' || right(replace(id::text, '-', ''), 24), ${at}, ${at}
        FROM unnest(${ids}::uuid[]) id
      `);
      tx.send(sql`
        INSERT INTO capability_states (agent_id, capability, state, activated_at, decided_by)
        SELECT id, c, 'active', ${at}, 'administrator'
        FROM unnest(${ids}::uuid[]) id, unnest(${SCOPES.slice(1)}::text[]) c
      `);
      tx.send(sql`
        INSERT INTO api_keys (id, agent_id, kind, secret_sha256, prefix, scopes, created_at)
        SELECT gen_random_uuid(), id, 'scoped', secret, 'stoa_xxxxxxx', ${SCOPES}::text[], ${at}
        FROM unnest(${ids}::uuid[], ${secrets}::bytea[]) k (id, secret)
      `);
    });
    for (const { id } of made) this.adopt(id, createdAt);
    if (group !== null) for (const actor of made) await this.setGroup(actor, group);
    return made;
  }

  /** Makes an agent known to the model that a scheme registered by itself. */
  adopt(id: string, createdAt = this.now): void {
    const nothing = { trial: 0, earned: 0, reserved: 0 };
    const facts = { createdAt, group: null, blocked: false };
    this.money.agents.set(id, { id, ...facts, ...nothing });
  }

  async createAgent(more: Parameters<Stage['createAgents']>[1] = {}): Promise<Actor> {
    const [made] = await this.createAgents(1, more);
    if (!made) throw new Error('No agent was made.');
    return made;
  }

  async setGroup({ id }: Actor, group: string): Promise<void> {
    await this.administer('PUT', `agents/${id}/operator-group`, { operatorGroup: group });
    this.money.getAgent(id).group = group;
  }

  async setBlocked({ id }: Actor, blocked = true): Promise<void> {
    await this.administer('PUT', `agents/${id}/block`, { blocked, reason: 'A scheme.' });
    this.money.getAgent(id).blocked = blocked;
  }

  /** Has a grant that funds no task pay an agent, as a task would. */
  async fund({ id }: Actor, units: number): Promise<void> {
    const expiresAt = toIso(this.now + 1);
    const treasury = { name: 'Treasury', amount: units, perDay: units, expiresAt };
    const { id: grant } = await this.administer('POST', 'subsidies', treasury);
    this.app.clock.advance(1);
    const transfers = [{ from: grantAccount(grant), to: availableAccount('earned', id) }];
    const { db, newId } = this.app.app.env;
    await db.transaction((tx) =>
      ledger.post(tx, newId, {
        kind: 'offer.accepted',
        reference: `scheme:${grant}`,
        amount: units,
        transfers,
        at: toIso(this.now),
      }),
    );
    this.money.getAgent(id).earned += units;
  }

  async enroll(actor: Actor): Promise<boolean> {
    const { status } = await this.send(actor, 'POST', 'enrollment');
    if (status === 200) this.money.getAgent(actor.id).trial += 100;
    return status === 200;
  }

  /** Moves the clock, and ends what is over by then, in the service and in the model. */
  async pass(hours: number): Promise<void> {
    this.app.clock.advance(hours * HOUR);
    for (let turn = 0; turn < 2; turn++) await this.app.app.jobs.runDue();
    this.judging.closeDue(this.now);
    this.money.passTo(this.now);
  }
}
