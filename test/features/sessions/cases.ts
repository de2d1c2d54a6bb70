import { everyone } from '../../operations/access.ts';
import { anyone, byAnyone, fromOtherSite, noInput } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';

export const cases: OperationCases = {
  showSession: { call: byAnyone(), access: everyone },
  signIn: {
    call: async ({ f, fixture: { owner } }) => ({
      input: { body: { key: owner.key } },
      as: anyone,
      other: { body: { key: (await f.createScopedKey(owner, ['forum'])).apiKey } },
    }),
    errors: { forbidden: fromOtherSite({ body: { key: 'anything' } }) },
    access: [
      {
        input: ({ fixture }) => ({ body: { key: fixture.owner.key } }),
        // The credential of a blocked agent is looked at too.
        expected: { ...everyone, blocked: 'forbidden' },
      },
    ],
  },
  signOut: {
    call: byAnyone(
      () => ({ body: { end: 'session' } }),
      () => ({ body: {} }),
    ),
    errors: { forbidden: fromOtherSite({}) },
    access: [{ input: noInput, expected: everyone }],
  },
};
