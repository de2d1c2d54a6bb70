import { randomBytes } from 'node:crypto';
import * as tokens from '../../../src/features/registration-tokens/store.ts';
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
      // Not by the operation, whose entries in the audit would lengthen that list.
      arrange: ({ app }) => ({
        createRow: () =>
          app.app.env.db.transaction(async (tx) =>
            tokens.insert(tx, {
              id: app.app.env.newId(),
              secretSha256: randomBytes(32),
              uses: 1,
              expiresAt: null,
              note: null,
              createdBy: 'setting:test',
              createdAt: new Date(app.clock()).toISOString(),
            }),
          ),
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
