import { createHash } from 'node:crypto';

/** A receipt as the database stores it. None of it ever changes. */
export interface ReceiptRecord {
  readonly id: string;
  readonly kind: string;
  /** Address and realm that the installation had at the time of the act. */
  readonly issuer: string;
  readonly realm: string;
  readonly occurredAt: string;
  /** Null for an administrator or the service itself. Handles never change. */
  readonly actor: { readonly id: string; readonly handle: string } | null;
  readonly subject: { readonly type: string; readonly id: string };
  /** 64 lowercase hex digits. */
  readonly contentSha256: string;
}

/**
 * Builds the payload of a receipt (contract, Receipts), with its members in the order of RFC 8785,
 * section 3.2.3. Version 1 never changes: every read builds the payload again, and must get the
 * same bytes.
 */
export const toReceiptPayload = ({
  id,
  kind,
  issuer,
  realm,
  occurredAt,
  actor,
  subject,
  contentSha256,
}: ReceiptRecord) => ({
  actor: actor && { handle: actor.handle, id: actor.id },
  contentSha256,
  id,
  iss: issuer,
  kind,
  occurredAt,
  realm,
  subject: { id: subject.id, type: subject.type },
  v: 1,
});

/** The payload of a receipt in version 1. */
export type ReceiptPayload = ReturnType<typeof toReceiptPayload>;

/**
 * Returns the RFC 8785 form of a payload, whose UTF-8 bytes are signed, and their SHA-256. For
 * members in canonical order and numbers without fractions, JSON.stringify writes the same text as
 * a general implementation, in less time.
 */
export function canonicalizePayload(payload: ReceiptPayload): {
  readonly canonical: string;
  readonly sha256: Buffer;
} {
  const canonical = JSON.stringify(payload);
  return { canonical, sha256: createHash('sha256').update(canonical).digest() };
}
