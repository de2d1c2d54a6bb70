import { operation } from '../../kernel/operation/operation.ts';
import * as entries from './entries.store.ts';
import { entryNotFoundError } from './guest-entry.rules.ts';
import { buildPayload } from './receipt.rules.ts';
import { planDelete } from './rules.ts';
import { entryKey, GuestContextDelete, GuestContextReceipt } from './schemas.ts';
import { signReceipt } from './sign-receipt.ts';
import * as contexts from './store.ts';

export const deleteGuestContext = operation(
  'deleteGuestContext',
  {
    method: 'DELETE',
    path: '/api/v1/guest-context/{key}',
    tool: 'delete_guest_context',
    summary: 'Delete an entry from your context.',
    description:
      'If the entry is written again later, its versions continue upwards, so an old ' +
      '`expectedVersion` never matches it.',
    guide:
      'Use it to delete a value before it expires; to change it use {op:writeGuestContext}. ' +
      'With expectedVersion only that version is deleted. Returns a receipt.',
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
    if (!context) throw entryNotFoundError();
    const { version, ...contextUpdate } = planDelete(context, key, expectedVersion ?? null, now);
    entries.deleteEntry(tx, context.id, key);
    contexts.update(tx, context.id, contextUpdate, now);
    return signReceipt(
      buildPayload(
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
