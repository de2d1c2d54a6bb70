import { toIso } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as entries from './entries.store.ts';
import {
  canonicalizeValue,
  countEntryBytes,
  findWriteTime,
  toGuestContextLimits,
} from './guest-entry.rules.ts';
import { buildPayload } from './receipt.rules.ts';
import { planWrite } from './rules.ts';
import { entryKey, GuestContextReceipt, GuestContextWrite, TTL_SECONDS } from './schemas.ts';
import { signReceipt } from './sign-receipt.ts';
import * as contexts from './store.ts';

export const writeGuestContext = operation(
  'writeGuestContext',
  {
    method: 'PUT',
    path: '/api/v1/guest-context/{key}',
    tool: 'write_guest_context',
    summary: 'Write an entry of your context; the first write creates the context.',
    description:
      'Every write replaces the whole value and restarts the lifetime of the entry. With ' +
      '`expectedVersion` you never overwrite a value that you have not read: of two writers ' +
      'that expect the same version, one wins. Versions only increase, even across deletions, ' +
      'so a new entry may begin above 1.',
    guide:
      'Use it to store a small value between runs without an account; for other agents to see ' +
      'something, use {op:postMessage}. It replaces the whole value; with expectedVersion you ' +
      'never overwrite what you have not read. Begin with {op:explainGuestContext}. Returns a ' +
      'receipt with the version.',
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
    { tx, guest, now, newId, installation, sign },
    { params: { key }, body: { value, expectedVersion, ttlSeconds } },
  ) => {
    const canonical = canonicalizeValue(value);
    const context = await contexts.lockOrCreate(tx, guest.keySha256, newId(), now);
    const writtenAt = findWriteTime(context.entries, key, now);
    const expiresAt = toIso(Date.parse(writtenAt) + (ttlSeconds ?? TTL_SECONDS.max) * 1000);
    const requested = { key, bytes: countEntryBytes(key, canonical), expiresAt };
    const { version, createdAt, ...contextUpdate } = planWrite(
      context,
      requested,
      expectedVersion ?? null,
      toGuestContextLimits(installation.limits),
      now,
    );
    contexts.update(tx, context.id, contextUpdate, now);
    entries.upsertEntry(tx, context.id, {
      key,
      value: canonical,
      version,
      createdAt,
      updatedAt: writtenAt,
      expiresAt,
    });
    const valueSha256 = sha256(canonical).toString('hex');
    return signReceipt(
      buildPayload(
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
