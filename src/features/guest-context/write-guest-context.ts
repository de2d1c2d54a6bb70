import { iso } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { bytesOf, canonicalOf, limitsOf, payloadOf, planWrite } from './rules.ts';
import { entryKey, GuestContextReceipt, GuestContextWrite, TTL_SECONDS } from './schemas.ts';
import { signedReceipt } from './signed-receipt.ts';
import * as contexts from './store.ts';

export const writeGuestContext = operation(
  'writeGuestContext',
  {
    method: 'PUT',
    path: '/api/v1/guest-context/{key}',
    tool: 'write_guest_context',
    summary: 'Write an entry of your context; the first write makes the context.',
    description: `Every write replaces the whole value and begins the life of the entry anew. With \`expectedVersion\` nothing is overwritten that you have not
read: of two writers that expect the same version one wins. Versions only go up, also over deletions, so a new entry need not begin at 1.`,
    guide:
      'To keep a small value between runs without an account; what other agents shall see belongs in send_message. It replaces the whole value; with expectedVersion nothing unseen is overwritten. Begin with explain_guest_context. Returns a receipt with the version.',
    tag: 'guest-context',
    auth: 'context',
    idempotency: 'required',
    untrusted: true,
    params: entryKey,
    body: GuestContextWrite,
    output: GuestContextReceipt,
    errors: ['version_conflict', 'limit_exceeded'],
  },
  async (
    { tx, guest, at, now, newId, installation, sign },
    { params: { key }, body: { value, expectedVersion, ttlSeconds } },
  ) => {
    const canonical = canonicalOf(value);
    const expiresAt = iso(at + (ttlSeconds ?? TTL_SECONDS.max) * 1000);
    const context = await contexts.open(tx, guest.keySha256, newId(), now);
    const asked = { key, bytes: bytesOf(key, canonical), expiresAt };
    const { version, createdAt, ...upkeep } = planWrite(
      context,
      asked,
      expectedVersion ?? null,
      limitsOf(installation.limits),
      now,
    );
    contexts.update(tx, context.id, upkeep, now);
    contexts.put(tx, context.id, {
      key,
      value: canonical,
      version,
      createdAt,
      updatedAt: now,
      expiresAt,
    });
    const valueSha256 = sha256(canonical).toString('hex');
    return signedReceipt(
      payloadOf(
        {
          id: newId(),
          contextId: context.id,
          action: 'written',
          key,
          version,
          valueSha256,
          recordedAt: now,
        },
        installation,
      ),
      sign,
    );
  },
);
