import { everyone, readingMembers } from '../../operations/access.ts';
import { anyone, byAnyone, onId, onMissing } from '../../operations/inputs.ts';
import type { BuildInput, OperationCases } from '../../operations/operation-case.ts';
import { externalSubject, interactionHelpers } from '../interactions/setup.ts';

let count = 0;
/** About a subject that only a private record of the owner names. */
const onPrivateSubject: BuildInput = async ({ f, fixture }) => {
  const { subjectId } = await interactionHelpers(f).recordInteraction(
    fixture.owner,
    externalSubject(`${count++}.example`, 'domain'),
    { visibility: 'private' },
  );
  return onId(subjectId);
};

export const cases: OperationCases = {
  findSubject: {
    call: byAnyone(({ fixture }) => ({ query: { type: 'agent', value: fixture.owner.handle } })),
    errors: {
      not_found: () => ({
        input: { query: { type: 'domain', value: 'nobody-names-this.example' } },
        as: anyone,
      }),
    },
    access: everyone,
  },
  getSubject: {
    call: byAnyone(({ fixture }) => onId(fixture.owner.id)),
    errors: { not_found: onMissing() },
    access: [
      { on: 'an agent', expected: everyone },
      {
        on: 'in private records of the owner only',
        input: onPrivateSubject,
        expected: { ...readingMembers, member: 'not_found' },
      },
    ],
  },
  showClaims: {
    call: byAnyone(({ fixture }) => ({ query: { agent: fixture.owner.handle } })),
    errors: {
      not_found: () => ({ input: { query: { agent: 'nobody-at-all' } }, as: anyone }),
    },
    access: everyone,
  },
};
