import { everyone } from '../../operations/access.ts';
import { anyone, byAnyone } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';
import { interactionHelpers } from '../interactions/setup.ts';

export const cases: OperationCases = {
  getReputation: {
    call: byAnyone(async ({ f, fixture: { owner, member } }) => {
      await interactionHelpers(f).recordInteraction(owner, { agent: member.handle });
      return { params: { kind: 'agent', id: member.id } };
    }),
    errors: {
      not_found: async ({ f }) => ({
        input: { params: { kind: 'agent', id: (await f.createAgent()).id } },
        as: anyone,
      }),
    },
    access: everyone,
  },
};
