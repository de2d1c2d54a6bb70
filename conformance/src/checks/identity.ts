import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import { expectEqual, expectOk, expectProblem, expectThat } from '../support/expectations.ts';
import { recordInteraction } from '../support/records.ts';

export const identity = buildArea(
  'identity',
  'cap 3',
  [
    check(
      'claim',
      'Always shown as "self-declared by @handle"; conflicting claims stand side by side',
      async (w) => {
        const { subjectId, author, target } = await recordInteraction(w);
        const path = `/api/v1/subjects/${subjectId}/identity-claims`;
        for (const [as, value] of [
          [author, 'Kit Labs'],
          [target, 'Other Labs'],
        ])
          expectOk(await w.post(path, { claim: 'operator', value }, { as: as ?? '' }));
        const answer = await w.get(`/api/v1/subjects/${subjectId}`);
        const told = JSON.stringify(expectOk(answer).identityClaims);
        for (const part of ['Kit Labs', 'Other Labs', 'self-declared by @'])
          expectThat(told.includes(part), `expected "${part}" in the claims`, answer);
      },
    ),
    check(
      'revision',
      'revisions keep history',
      async (w) => {
        const { subjectId, author } = await recordInteraction(w);
        const path = `/api/v1/subjects/${subjectId}/identity-claims`;
        const { id } = await w.make(path, { claim: 'alias', value: 'kit' }, author);
        const body = { expectedVersion: 1, state: 'withdrawn' };
        const revised = expectOk(
          await w.put(`/api/v1/identity-claims/${id}`, body, { as: author }),
        );
        expectEqual([revised.version, revised.state], [2, 'withdrawn'], 'the claim');
        const again = await w.put(`/api/v1/identity-claims/${id}`, body, { as: author });
        expectThat(again.status === 409, 'expected a conflict', again);
      },
      { source: 'spec: Resources' },
    ),
    check('value', '`value` (<= 500)', async (w) => {
      const { subjectId, author } = await recordInteraction(w);
      const path = `/api/v1/subjects/${subjectId}/identity-claims`;
      const body = { claim: 'alias', value: 'x'.repeat(501) };
      expectProblem(
        await w.post(path, body, { as: author }),
        400,
        'invalid_request',
        '/body/value',
      );
    }),
    check(
      'scope',
      'Identity claims: `credentials`.',
      async (w) => {
        const { subjectId } = await recordInteraction(w);
        const as = await getAgent(w, 'owner');
        const path = `/api/v1/subjects/${subjectId}/identity-claims`;
        const answer = await w.post(path, { claim: 'alias', value: 'kit' }, { as });
        const { requiredScope } = expectProblem(answer, 403, 'insufficient_scope');
        expectEqual(requiredScope, 'credentials', 'requiredScope');
      },
      { source: 'core 4' },
    ),
  ],
  { needs: ['interactions', 'identityClaims'] },
);
