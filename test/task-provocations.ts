import { sql } from '../src/db/sql.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { validCall } from './calls.ts';
import type { Provoke, Scene } from './provocations.ts';
import { works } from './features/tasks/setup.ts';
import type { Input } from './operations/fixture.ts';

const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** The call that would succeed, after something has happened, with something else in it. */
const after =
  (
    name: string,
    happens: (scene: Scene, id: string, key: string) => Promise<unknown>,
    more: (input: Input) => object = () => ({}),
  ): Provoke =>
  async (scene) => {
    const { input, as } = await validCall(name, scene.world, scene.f);
    await happens(scene, input.params?.id ?? '', as.key ?? '');
    return { input: { ...input, ...more(input) }, as };
  };
const nothing = async () => {};
const elsewhere = (name: string) => after(name, nothing, () => ({ params: { id: nowhere } }));
const inVersion = (name: string) =>
  after(name, nothing, ({ body = {} }) => ({ body: { ...(body as object), expectedVersion: 9 } }));
const by =
  (name: string, who: 'owner' | 'outsider'): Provoke =>
  async (scene) => ({
    ...(await validCall(name, scene.world, scene.f)),
    as: { key: await scene.f.keyWith(scene.world[who], 'credits') },
  });
const post = ({ f }: Scene, path: string, key: string, body?: object) =>
  f.ok('POST', `/api/v1/${path}`, { key, ...(body && { body }) });
const abandoned = (scene: Scene, id: string, key: string) =>
  post(scene, `assignments/${id}/abandon`, key);
const cancelled = async (scene: Scene, id: string) =>
  post(scene, `tasks/${id}/cancel`, await scene.f.keyWith(scene.world.owner, 'credits'));

/** How a step of an assignment is refused. */
const onAssignment = (name: string): Partial<Record<ErrorCode, Provoke>> => ({
  not_found: elsewhere(name),
  forbidden: by(name, 'outsider'),
  version_conflict: inVersion(name),
  state_conflict: after(name, abandoned),
});

/** A task that cannot be made as it is asked for. */
const making =
  (body: (scene: Scene) => Promise<object> | object): Provoke =>
  async (scene) => ({
    input: { body: works(scene.app, scene.f).request(await body(scene)) },
    as: { key: await scene.f.keyWith(scene.world.owner, 'credits') },
  });

/** What no rule of the pipeline brings about, by operations of tasks. */
export const taskProvocations: Readonly<Record<string, Partial<Record<ErrorCode, Provoke>>>> = {
  createTask: {
    not_found: making(() => ({ subject: { agent: 'nobody-at-all' } })),
    insufficient_funds: making(() => ({ reward: 1_000_000 })),
    not_eligible: async (scene) => {
      const w = works(scene.app, scene.f);
      const { id, key } = await w.holder();
      await scene.f.ok('PUT', `/api/v1/admin/agents/${id}/synthetic`, {
        admin: true,
        body: { synthetic: true },
      });
      return { input: { body: w.request() }, as: { key } };
    },
    limit_exceeded: async (scene) => {
      const w = works(scene.app, scene.f);
      await scene.app.app.env.db.run(sql`UPDATE subsidies SET expires_at = created_at`);
      await w.subsidy(50, { perTask: 4 });
      return {
        input: { body: w.request({ fundingUnit: 'trial' }) },
        as: { key: (await w.enrolled()).key },
      };
    },
  },
  getTask: { not_found: elsewhere('getTask') },
  cancelTask: {
    not_found: elsewhere('cancelTask'),
    forbidden: by('cancelTask', 'outsider'),
    state_conflict: after('cancelTask', cancelled),
  },
  takeAssignment: {
    not_found: elsewhere('takeAssignment'),
    not_eligible: by('takeAssignment', 'owner'),
    already_exists: after('takeAssignment', (scene, id, key) =>
      post(scene, `tasks/${id}/assignments`, key),
    ),
    state_conflict: after('takeAssignment', cancelled),
  },
  getAssignment: { not_found: elsewhere('getAssignment') },
  submitWork: {
    ...onAssignment('submitWork'),
    not_eligible: async (scene) => {
      const w = works(scene.app, scene.f);
      const [owner, worker] = [await w.holder(5), await w.holder()];
      const id = await w.taken(worker, await w.task(owner, { slots: 1 }));
      await scene.f.ok('PUT', `/api/v1/admin/agents/${worker.id}/synthetic`, {
        admin: true,
        body: { synthetic: true },
      });
      const { input } = await validCall('submitWork', scene.world, scene.f);
      return { input: { ...input, params: { id } }, as: { key: worker.key } };
    },
  },
  abandonAssignment: onAssignment('abandonAssignment'),
  addAssignmentEvidence: {
    ...onAssignment('addAssignmentEvidence'),
    state_conflict: async (scene) => {
      const { input } = await validCall('abandonAssignment', scene.world, scene.f);
      const body = { expectedVersion: 1, kind: 'statement', text: 'So.' };
      return {
        input: { ...input, body },
        as: { key: await scene.f.keyWith(scene.world.owner, 'credits') },
      };
    },
    limit_exceeded: after('addAssignmentEvidence', ({ app, world }, id) =>
      app.app.env.db.run(sql`WITH made AS (INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
          SELECT gen_random_uuid(), 'evidence', 1, 'submitted', ${world.owner.id}, now(), now() FROM generate_series(1, 50) RETURNING id)
        INSERT INTO evidence (id, about_id, submitted_by, created_at) SELECT id, ${id}, ${world.owner.id}, now() FROM made`),
    ),
  },
  withdrawAssignmentEvidence: {
    not_found: after('withdrawAssignmentEvidence', nothing, ({ params }) => ({
      params: { ...params, evidenceId: nowhere },
    })),
    forbidden: by('withdrawAssignmentEvidence', 'outsider'),
    version_conflict: inVersion('withdrawAssignmentEvidence'),
    state_conflict: async (scene) => {
      const { input, as } = await validCall('withdrawAssignmentEvidence', scene.world, scene.f);
      await post(
        scene,
        `assignments/${input.params?.id}/evidence/${input.params?.evidenceId}/withdraw`,
        as.key ?? '',
        input.body as object,
      );
      return { input: { ...input, body: { expectedVersion: 2 } }, as };
    },
  },
};
