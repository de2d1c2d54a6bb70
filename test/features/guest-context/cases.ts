import { administrators, everyone, guests } from '../../operations/access.ts';
import type { OperationInput } from '../../operations/fixture.ts';
import { byAdministrator, byAnyone } from '../../operations/inputs.ts';
import type {
  AccessRow,
  CaseSetup,
  ErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import { createContextKey } from '../../support/factories.ts';

const onKey = (key: string, body?: object): OperationInput => ({
  params: { key },
  ...(body && { body }),
});
const writeEntry = ({ f }: CaseSetup, context: string, key = 'notes') =>
  f.ok('PUT', `/api/v1/guest-context/${key}`, { context, body: { value: 1 } });

/** A call with a new context, or one that has been used. */
const withContext = (input: OperationInput, context = createContextKey()): ErrorCase => ({
  input,
  as: { context },
});

/** A row for an entry of the guest. */
const onGuestsEntry = (body?: object): AccessRow => ({
  on: 'of the guest',
  input: async (setup) => {
    await writeEntry(setup, setup.guestKey);
    return onKey('notes', body);
  },
  expected: guests,
});

export const cases: OperationCases = {
  explainGuestContext: { call: byAnyone(), access: everyone },
  readGuestContext: {
    call: async (setup) => {
      const context = createContextKey();
      await writeEntry(setup, context);
      return { input: onKey('notes'), as: { context } };
    },
    errors: { not_found: () => withContext(onKey('nothing')) },
    access: [onGuestsEntry()],
  },
  writeGuestContext: {
    call: () => ({
      input: onKey('notes', { value: 1 }),
      as: { context: createContextKey() },
      other: onKey('notes', { value: 2 }),
    }),
    errors: {
      version_conflict: () => withContext(onKey('notes', { value: 1, expectedVersion: 1 })),
      limit_exceeded: () => withContext(onKey('notes', { value: 'x'.repeat(65_536) })),
    },
    access: [onGuestsEntry({ value: 2 })],
    ack: 'record',
    idempotency: 'required',
  },
  deleteGuestContext: {
    call: async (setup) => {
      const context = createContextKey();
      for (const key of ['one', 'two']) await writeEntry(setup, context, key);
      return { input: onKey('one', {}), as: { context }, other: onKey('two', {}) };
    },
    errors: {
      not_found: () => withContext(onKey('nothing', {})),
      version_conflict: async (setup) => {
        const context = createContextKey();
        await writeEntry(setup, context);
        return withContext(onKey('notes', { expectedVersion: 2 }), context);
      },
    },
    access: [onGuestsEntry({})],
    ack: 'record',
    idempotency: 'required',
  },
  summarizeGuestContexts: { call: byAdministrator(), access: administrators },
};
