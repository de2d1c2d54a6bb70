import { administrators } from '../../operations/access.ts';
import { administrator, byAdministrator, onId, onMissing } from '../../operations/inputs.ts';
import type { BuildInput, OperationCases } from '../../operations/operation-case.ts';

const onNewToken: BuildInput = async ({ f }) =>
  onId((await f.ok('POST', '/api/v1/admin/registration-tokens', { admin: true, body: {} })).id);

export const cases: OperationCases = {
  createRegistrationToken: {
    call: byAdministrator(
      () => ({ body: { uses: 2, note: 'For two' } }),
      () => ({ body: { uses: 3 } }),
    ),
    access: administrators,
    ack: ['createdAt', 'expiresAt', 'id', 'note', 'token', 'uses'],
  },
  listRegistrationTokens: {
    call: byAdministrator(),
    access: administrators,
    list: {
      order: ['createdAt', 'id'],
      arrange: ({ f }) => ({
        createRow: () =>
          f.ok('POST', '/api/v1/admin/registration-tokens', { admin: true, body: { uses: 1 } }),
      }),
    },
  },
  revokeRegistrationToken: {
    call: byAdministrator(onNewToken, onNewToken),
    errors: { not_found: onMissing(administrator) },
    access: [{ input: onNewToken, expected: administrators }],
    ack: ['id'],
  },
};
