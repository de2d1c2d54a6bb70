import { sql } from '../src/db/sql.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { asked, judges } from './features/adjudication/setup.ts';
import type { Provoke, Scene } from './provocations.ts';

const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const at = (id: string, body?: object) => ({ params: { id }, ...(body && { body }) });

type Judges = ReturnType<typeof judges>;
type Opened = Awaited<ReturnType<Judges['opened']>>;

interface Situation extends Opened {
  readonly scene: Scene;
  readonly j: Judges;
}

type As = (situation: Situation) => Promise<string>;
const opener: As = ({ scene: { f }, opener }) => f.keyWith(opener, 'adjudication');
const voter: As = async ({ scene: { f }, j }) =>
  f.keyWith((await j.voters(1))[0] as never, 'reviewer');

/** A call about a case that is open. */
const about =
  (
    input: (situation: Situation) => object | Promise<object>,
    as: As,
    prepare?: (situation: Situation) => Promise<unknown>,
  ): Provoke =>
  async (scene) => {
    const j = judges(scene.f);
    const situation = { ...(await j.opened()), scene, j };
    await prepare?.(situation);
    const key = await as(situation);
    return { input: await input(situation), as: { key } };
  };

const vote = (id: string) => at(id, { verdict: 'upheld', rationale: 'So.' });
const judgeAgain = (id: string, evidenceId = nowhere) =>
  at(id, { evidenceIds: [evidenceId], reason: 'So.' });
const closed = ({ j }: Situation) => j.closeAll();
const anotherOpen = async ({ j, opener, interactionId }: Situation) => {
  await j.closeAll();
  await j.open(opener, interactionId);
};

/** How each declared error of the operations about cases comes about. */
export const adjudicationProvocations: Readonly<
  Record<string, Partial<Record<ErrorCode, Provoke>>>
> = {
  openCase: {
    not_found: about(() => ({ body: asked(nowhere) }), opener),
    forbidden: async (scene) => {
      const { f, world } = scene;
      const { id } = await judges(f).r.record(
        world.owner,
        { agent: world.member.handle },
        { visibility: 'private' },
      );
      return {
        input: { body: asked(id) },
        as: { key: await f.keyWith(world.owner, 'adjudication') },
      };
    },
    already_exists: about(({ interactionId }) => ({ body: asked(interactionId) }), opener),
    version_conflict: about(
      ({ interactionId }) => ({ body: asked(interactionId, { expectedVersion: 2 }) }),
      opener,
      closed,
    ),
    state_conflict: about(
      ({ interactionId }) => ({ body: asked(interactionId, { expectedVersion: 2 }) }),
      opener,
      async (situation) => {
        await situation.j.closeAll();
        await situation.j.r.revise(situation.author, situation.interactionId, {
          expectedVersion: 1,
          state: 'withdrawn',
        });
      },
    ),
  },
  getCase: { not_found: () => ({ input: at(nowhere), as: {} }) },
  castBallot: {
    not_found: about(() => vote(nowhere), voter),
    state_conflict: about(({ id }) => vote(id), voter, closed),
    already_exists: async (scene) => {
      const j = judges(scene.f);
      const [{ id }, [agent]] = [await j.opened(), await j.voters(1)];
      await j.vote(agent as never, id);
      return { input: vote(id), as: { key: await scene.f.keyWith(agent as never, 'reviewer') } };
    },
    not_eligible: about(
      ({ id }) => vote(id),
      ({ scene: { f }, author }) => f.keyWith(author, 'reviewer'),
    ),
    // Nobody makes so many agents in a test.
    limit_exceeded: about(
      ({ id }) => vote(id),
      voter,
      async ({ id, scene: { app } }) => {
        await app.app.env.db.run(sql`WITH voters AS (INSERT INTO agents (id, handle, created_at, last_active_on)
            SELECT gen_random_uuid(), 'crowd-' || left(${id}, 8) || substr(${id}, 25) || '-' || n, r.opens_at, r.opens_at
            FROM generate_series(1, 1000) n, adjudication_rounds r WHERE r.case_id = ${id} RETURNING id)
          INSERT INTO adjudication_ballots (id, round_id, voter_id, verdict, rationale, evidence_ids, sha256, receipt_id, cast_at)
          SELECT gen_random_uuid(), r.id, v.id, 'upheld', 'So.', '{}', sha256('so'), gen_random_uuid(), r.opens_at FROM voters v, adjudication_rounds r WHERE r.case_id = ${id}`);
      },
    ),
  },
  openRound: {
    not_found: about(() => judgeAgain(nowhere), opener),
    version_conflict: about(
      ({ id }) => ({ ...judgeAgain(id), body: { ...judgeAgain(id).body, expectedVersion: 9 } }),
      opener,
    ),
    state_conflict: about(({ id }) => judgeAgain(id), opener),
    already_exists: about(({ id }) => judgeAgain(id), opener, anotherOpen),
  },
};
