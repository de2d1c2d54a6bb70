import { operation } from '../../kernel/operation/operation.ts';
import { noEntry, payloadOf, planDelete } from './rules.ts';
import { entryKey, GuestContextDelete, GuestContextReceipt } from './schemas.ts';
import { signedReceipt } from './signed-receipt.ts';
import * as contexts from './store.ts';

export const deleteGuestContext = operation(
  'deleteGuestContext',
  {
    method: 'DELETE',
    path: '/api/v1/guest-context/{key}',
    tool: 'delete_guest_context',
    summary: 'Delete an entry of your context.',
    description:
      'An entry that is written again later goes on with higher versions, so an old `expectedVersion` never fits it.',
    guide:
      'Use it to forget a value before it expires; to change it use write_guest_context. With expectedVersion only the version that you know is deleted. Returns a receipt.',
    tag: 'guest-context',
    auth: 'context',
    idempotency: 'required',
    untrusted: true,
    params: entryKey,
    body: GuestContextDelete,
    output: GuestContextReceipt,
    errors: ['not_found', 'version_conflict'],
  },
  async (
    { tx, guest, now, newId, installation, sign },
    { params: { key }, body: { expectedVersion } },
  ) => {
    const context = await contexts.lock(tx, guest.keySha256);
    if (!context) throw noEntry();
    const { version, ...upkeep } = planDelete(context, key, expectedVersion ?? null, now);
    contexts.remove(tx, context.id, key);
    contexts.update(tx, context.id, upkeep, now);
    return signedReceipt(
      payloadOf(
        {
          id: newId(),
          contextId: context.id,
          action: 'deleted',
          key,
          version,
          valueSha256: null,
          recordedAt: now,
        },
        installation,
      ),
      sign,
    );
  },
);
