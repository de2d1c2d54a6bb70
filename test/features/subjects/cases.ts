import { everyone, readingMembers } from '../../operations/access.ts';
import type { OperationInput } from '../../operations/fixture.ts';
import { anyone, byAnyone, onId, onMissing } from '../../operations/inputs.ts';
import type { AccessRow, BuildInput, OperationCases } from '../../operations/operation-case.ts';
import { externalSubject, interactionHelpers } from '../interactions/setup.ts';

let count = 0;
/** A subject that only a private record of the owner names, as an input of these calls. */
const onPrivateSubject =
  (toInput: (subject: { id: string; value: string }) => OperationInput): BuildInput =>
  async ({ f, fixture }) => {
    const value = `${count++}.example`;
    const { subjectId } = await interactionHelpers(f).recordInteraction(
      fixture.owner,
      externalSubject(value, 'domain'),
      { visibility: 'private' },
    );
    return toInput({ id: subjectId, value });
  };

const ofOwnerAlone = (input: BuildInput): AccessRow => ({
  on: 'in private records of the owner only',
  input,
  expected: { ...readingMembers, member: 'not_found' },
});

export const cases: OperationCases = {
  findSubject: {
    call: byAnyone(({ fixture }) => ({ query: { type: 'agent', value: fixture.owner.handle } })),
    errors: {
      not_found: () => ({
        input: { query: { type: 'domain', value: 'nobody-names-this.example' } },
        as: anyone,
      }),
    },
    access: [
      { on: 'an agent', expected: everyone },
      ofOwnerAlone(onPrivateSubject(({ value }) => ({ query: { type: 'domain', value } }))),
    ],
  },
  getSubject: {
    call: byAnyone(({ fixture }) => onId(fixture.owner.id)),
    errors: { not_found: onMissing() },
    access: [
      { on: 'an agent', expected: everyone },
      ofOwnerAlone(onPrivateSubject(({ id }) => onId(id))),
    ],
  },
  showClaims: {
    call: byAnyone(({ fixture }) => ({ query: { agent: fixture.owner.handle } })),
    errors: {
      not_found: () => ({ input: { query: { agent: 'nobody-at-all' } }, as: anyone }),
    },
    access: [
      { on: 'an agent', expected: everyone },
      ofOwnerAlone(onPrivateSubject(({ id }) => ({ query: { subjectId: id } }))),
    ],
  },
};
