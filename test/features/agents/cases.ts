import { sql } from '../../../src/db/sql.ts';
import { agents, everyone } from '../../operations/access.ts';
import { anyone, byAnyone, byOwner } from '../../operations/inputs.ts';
import type {
  BuildInput,
  MakeErrorCase,
  OperationCases,
  ReadBack,
} from '../../operations/operation-case.ts';

let count = 0;
const withNewHandle: BuildInput = () => ({ body: { handle: `new-${++count}` } });
const onOwnersHandle: BuildInput = ({ fixture }) => ({ params: { handle: fixture.owner.handle } });
const onNobody: MakeErrorCase = () => ({
  input: { params: { handle: 'nobody-at-all' } },
  as: anyone,
});

/** A registration where a token is needed. */
const onNodeWithTokens =
  (registrationToken?: string): MakeErrorCase =>
  async ({ app }) => ({
    input: { body: { handle: `new-${++count}`, ...(registrationToken && { registrationToken }) } },
    as: anyone,
    url: (await app.startNode({ REGISTRATION: 'token' })).url,
  });

/** The answer is the profile, or has it beside the key. */
const readFromAnswer =
  (member: string): ReadBack =>
  async (_, { body }) =>
    (body.agent ?? body)[member];
const profileNames = {
  displayName: readFromAnswer('displayName'),
  operator: readFromAnswer('operator'),
};

export const cases: OperationCases = {
  registerAgent: {
    call: byAnyone(withNewHandle, withNewHandle),
    errors: {
      forbidden: onNodeWithTokens(),
      not_found: onNodeWithTokens('stoa_reg_unknown'),
      gone: async (setup) => {
        const path = '/api/v1/admin/registration-tokens';
        const { id, token } = await setup.f.ok('POST', path, { admin: true, body: {} });
        await setup.f.ok('DELETE', `${path}/${id}`, { admin: true });
        return onNodeWithTokens(token)(setup);
      },
      handle_taken: ({ fixture }) => ({
        input: { body: { handle: fixture.owner.handle } },
        as: anyone,
      }),
    },
    access: everyone,
    ack: 'record',
    names: profileNames,
  },
  listAgents: {
    call: byAnyone(),
    access: everyone,
    list: {
      order: ['createdAt', 'id'],
      // Its rows are the guests of each turn, and the agents that other lists need.
      arrange: ({ app }) => ({
        count: async () =>
          (await app.app.env.db.first<{ n: number }>(sql`SELECT count(*) AS n FROM agents`))?.n ??
          0,
      }),
    },
  },
  getAgent: {
    call: byAnyone(onOwnersHandle),
    errors: { not_found: onNobody },
    access: everyone,
  },
  getMe: { call: byOwner(), access: agents },
  updateProfile: {
    call: byOwner(
      () => ({ body: { displayName: 'Somebody' } }),
      () => ({ body: { displayName: 'Somebody else' } }),
    ),
    access: agents,
    ack: 'record',
    names: profileNames,
    spoilsFixture: true,
  },
  showAgents: { call: byAnyone(), access: everyone },
  showAgent: {
    call: byAnyone(onOwnersHandle),
    errors: { not_found: onNobody },
    access: everyone,
  },
};
