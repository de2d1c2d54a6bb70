import type { Installation } from '../../kernel/installation.ts';
import type { GuestContextReceipt } from './schemas.ts';

/** A change of an entry, as its receipt records it. */
interface GuestContextChange {
  readonly id: string;
  readonly contextId: string;
  readonly action: GuestContextReceipt['action'];
  readonly key: string;
  readonly version: number;
  /** Hex; null for a deletion. */
  readonly valueSha256: string | null;
  readonly recordedAt: string;
}

/**
 * Builds the payload that a receipt's signature covers (contract, section 8). It names the context
 * by its id, which reveals nothing about its key.
 */
export function buildPayload(
  { id, contextId, action, key, version, valueSha256, recordedAt }: GuestContextChange,
  { baseUrl, realm }: Pick<Installation, 'baseUrl' | 'realm'>,
) {
  return {
    v: 1,
    iss: baseUrl,
    realm,
    id,
    kind: `guest-context.${action}` as const,
    occurredAt: recordedAt,
    actor: { type: 'guest-context', id: contextId },
    subject: { type: 'guest-context-entry', key, version },
    contentSha256: valueSha256,
  };
}

/** Converts a payload to its receipt. `jws` is the signed payload in compact form (RFC 7515). */
export function toReceipt(
  { id, kind, subject, contentSha256, occurredAt }: ReturnType<typeof buildPayload>,
  jws: string,
): GuestContextReceipt {
  const action = kind === 'guest-context.written' ? 'written' : 'deleted';
  return {
    id,
    key: subject.key,
    action,
    version: subject.version,
    valueSha256: contentSha256,
    recordedAt: occurredAt,
    jws,
  };
}
