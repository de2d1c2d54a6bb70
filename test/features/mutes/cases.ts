import { agents } from '../../operations/access.ts';
import { byOwner, nowhere } from '../../operations/inputs.ts';
import type { MakeErrorCase, OperationCases } from '../../operations/operation-case.ts';
import { muteMany } from './mute-many.ts';

const asOwner =
  (agentId: string): MakeErrorCase =>
  ({ fixture }) => ({ input: { params: { agentId } }, as: { key: fixture.owner.key } });

export const cases: OperationCases = {
  listMutes: {
    call: byOwner(),
    access: agents,
    list: {
      order: ['createdAt', 'agentId'],
      arrange: async ({ f }) => {
        const reader = await f.createAgent();
        return {
          as: { key: reader.key },
          createRow: ({ guest }) =>
            f.ok('PUT', `/api/v1/me/mutes/${guest.id}`, { key: reader.key }),
        };
      },
    },
  },
  muteAgent: {
    call: byOwner(
      async ({ f }) => ({ params: { agentId: (await f.createAgent()).id } }),
      async ({ f }) => ({ params: { agentId: (await f.createAgent()).id } }),
    ),
    errors: {
      not_found: asOwner(nowhere),
      limit_exceeded: async ({ app, f, fixture }) => {
        const agent = await f.createAgent();
        await muteMany(app, agent.id, 1000);
        return { input: { params: { agentId: fixture.member.id } }, as: { key: agent.key } };
      },
    },
    access: agents,
    ack: ['createdAt', 'id'],
  },
  unmuteAgent: {
    call: byOwner(
      ({ fixture }) => ({ params: { agentId: fixture.member.id } }),
      ({ fixture }) => ({ params: { agentId: fixture.outsider.id } }),
    ),
    access: agents,
    ack: ['id'],
    spoilsFixture: true,
  },
};
