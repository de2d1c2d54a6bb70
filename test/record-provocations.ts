import { type Sql, sql } from '../src/db/sql.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import type { RequestOptions, TestAgent } from './support/factories.ts';
import type { Provoke, Scene } from './provocations.ts';
import { happened, outside, recorders } from './features/interactions/setup.ts';

const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const at = (id: string, body?: object) => ({ params: { id }, ...(body && { body }) });
const statement = { kind: 'statement', text: 'So.' };

interface Situation {
  readonly scene: Scene;
  readonly r: ReturnType<typeof recorders>;
  /** Recorded by the owner about the member, public, in its first version. */
  readonly id: string;
  readonly evidenceId: string;
}

const as = async ({ f }: Scene, agent: TestAgent, scope: string): Promise<RequestOptions> => ({
  key: await f.keyWith(agent, scope),
});

/** A call about an interaction that is there, by default as its author. */
const about =
  (
    input: (situation: Situation) => object,
    who: 'owner' | 'outsider' = 'owner',
    prepare?: (situation: Situation) => Promise<unknown>,
  ): Provoke =>
  async (scene) => {
    const r = recorders(scene.f);
    const { id, evidenceIds } = await r.record(
      scene.world.owner,
      { agent: scene.world.member.handle },
      { evidence: [statement] },
    );
    const situation = { scene, r, id, evidenceId: evidenceIds[0] };
    await prepare?.(situation);
    return { input: input(situation), as: await as(scene, scene.world[who], 'interactions') };
  };

const withdrawn = ({ r, scene, id }: Situation) =>
  r.revise(scene.world.owner, id, { expectedVersion: 1, state: 'withdrawn' });

/** Nobody makes so many versions in a test. */
const grown =
  (id: string) =>
  async ({ app }: Scene) => {
    const statements: Sql[] = [
      sql`INSERT INTO record_revisions SELECT record_id, 200, author_id, state, content, receipt_id, at FROM record_revisions WHERE record_id = ${id} AND version = 1`,
      sql`UPDATE records SET version = 200 WHERE id = ${id}`,
    ];
    for (const statement of statements) await app.app.env.db.run(statement);
  };

/** As much evidence as the author may submit. */
const filled =
  (id: string) =>
  ({ app }: Scene) =>
    app.app.env.db.run(sql`WITH pieces AS (SELECT gen_random_uuid() AS id, author_id, created_at AS at FROM interactions, generate_series(1, 50) WHERE id = ${id}),
      made AS (INSERT INTO records (id, type, version, state, author_id, created_at, updated_at) SELECT id, 'evidence', 1, 'submitted', author_id, at, at FROM pieces)
    INSERT INTO evidence (id, about_id, submitted_by, created_at) SELECT id, ${id}, author_id, at FROM pieces`);

/** A call about a claim of the owner. */
const aboutClaim =
  (
    body: object,
    who: 'owner' | 'outsider' = 'owner',
    prepare?: (scene: Scene, id: string) => Promise<unknown>,
  ): Provoke =>
  async (scene) => {
    const agent = await scene.f.agent();
    const { id } = (await recorders(scene.f).claim(agent, agent.id)).body;
    await prepare?.(scene, id);
    return {
      input: at(id, body),
      as: await as(scene, who === 'owner' ? agent : scene.world.outsider, 'credentials'),
    };
  };

/** A call about trust, by an agent who trusts the owner already. */
const aboutTrust =
  (more: object, prepare = true): Provoke =>
  async (scene) => {
    const agent = await scene.f.agent();
    const target = { agent: scene.world.owner.handle };
    if (prepare) await recorders(scene.f).trust(agent, { target });
    return {
      input: { body: { target, level: 1, ...more } },
      as: await as(scene, agent, 'interactions'),
    };
  };

const noOne: Provoke = () => ({ input: at(nowhere), as: {} });
const missing =
  (scope: string, input: object): Provoke =>
  async (scene) => ({ input, as: await as(scene, scene.world.owner, scope) });

/** How each declared error of the operations about records comes about. */
export const recordProvocations: Readonly<Record<string, Partial<Record<ErrorCode, Provoke>>>> = {
  recordInteraction: {
    not_found: missing('interactions', { body: happened({ agent: 'nobody-at-all' }) }),
  },
  getInteraction: { not_found: noOne },
  reviseInteraction: {
    not_found: missing('interactions', at(nowhere, { expectedVersion: 1, summary: 'x' })),
    forbidden: about(({ id }) => at(id, { expectedVersion: 1, summary: 'x' }), 'outsider'),
    version_conflict: about(({ id }) => at(id, { expectedVersion: 2, summary: 'x' })),
    state_conflict: about(
      ({ id }) => at(id, { expectedVersion: 2, summary: 'x' }),
      'owner',
      withdrawn,
    ),
    limit_exceeded: about(
      ({ id }) => at(id, { expectedVersion: 200, summary: 'x' }),
      'owner',
      ({ id, scene }) => grown(id)(scene),
    ),
  },
  submitEvidence: {
    not_found: missing('interactions', at(nowhere, { expectedVersion: 1, ...statement })),
    forbidden: about(({ id }) => at(id, { expectedVersion: 1, ...statement }), 'outsider'),
    version_conflict: about(({ id }) => at(id, { expectedVersion: 2, ...statement })),
    state_conflict: about(
      ({ id }) => at(id, { expectedVersion: 2, ...statement }),
      'owner',
      withdrawn,
    ),
    limit_exceeded: about(
      ({ id }) => at(id, { expectedVersion: 1, ...statement }),
      'owner',
      ({ id, scene }) => filled(id)(scene),
    ),
  },
  withdrawEvidence: {
    not_found: missing('interactions', at(nowhere, { expectedVersion: 1 })),
    forbidden: about(({ evidenceId }) => at(evidenceId, { expectedVersion: 1 }), 'outsider'),
    version_conflict: about(({ evidenceId }) => at(evidenceId, { expectedVersion: 2 })),
    state_conflict: about(
      ({ evidenceId }) => at(evidenceId, { expectedVersion: 2 }),
      'owner',
      ({ r, scene, evidenceId }) => r.withdraw(scene.world.owner, evidenceId),
    ),
  },
  findSubject: {
    not_found: () => ({
      input: { query: { type: 'domain', value: 'nobody-names-this.example' } },
      as: {},
    }),
  },
  getSubject: { not_found: noOne },
  getIdentityClaim: { not_found: noOne },
  claimIdentity: {
    not_found: missing('credentials', at(nowhere, { claim: 'alias', value: 'x' })),
    limit_exceeded: async (scene) => {
      const agent = await scene.f.agent();
      for (let claims = 0; claims < 20; claims++) await recorders(scene.f).claim(agent, agent.id);
      return {
        input: at(agent.id, { claim: 'alias', value: 'x' }),
        as: await as(scene, agent, 'credentials'),
      };
    },
  },
  reviseIdentityClaim: {
    not_found: missing('credentials', at(nowhere, { expectedVersion: 1, value: 'x' })),
    forbidden: aboutClaim({ expectedVersion: 1, value: 'x' }, 'outsider'),
    version_conflict: aboutClaim({ expectedVersion: 2, value: 'x' }),
    state_conflict: aboutClaim({ expectedVersion: 2, value: 'x' }, 'owner', ({ app }, id) =>
      app.app.env.db.run(sql`WITH said AS (INSERT INTO record_revisions SELECT record_id, 2, author_id, 'withdrawn', content, receipt_id, at
        FROM record_revisions WHERE record_id = ${id}) UPDATE records SET version = 2, state = 'withdrawn' WHERE id = ${id}`),
    ),
    limit_exceeded: aboutClaim({ expectedVersion: 200, value: 'x' }, 'owner', (scene, id) =>
      grown(id)(scene),
    ),
  },
  setOperatorGroup: {
    not_found: () => ({ input: at(nowhere, { operatorGroup: 'x' }), as: { admin: true } }),
  },
  recordTrust: {
    not_found: aboutTrust({ expectedVersion: 1 }, false),
    already_exists: aboutTrust({}),
    version_conflict: aboutTrust({ expectedVersion: 2 }),
    limit_exceeded: async (scene) => {
      const agent = await scene.f.agent();
      const r = recorders(scene.f);
      const { id } = (await r.trust(agent, { target: outside() })).body;
      await grown(id)(scene);
      return {
        input: { body: { target: outside(), level: 1, expectedVersion: 200 } },
        as: await as(scene, agent, 'interactions'),
      };
    },
  },
};
