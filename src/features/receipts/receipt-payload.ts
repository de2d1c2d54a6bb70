import { createHash } from 'node:crypto';

/** An act as the database keeps it; all of it is fixed for ever. */
export interface PortableEvent {
  readonly id: string;
  readonly kind: string;
  /** Address and realm of the installation when it happened. */
  readonly issuer: string;
  readonly realm: string;
  readonly occurredAt: string;
  /** Null: no agent, but an administrator or the service itself. Handles never change. */
  readonly actor: { readonly id: string; readonly handle: string } | null;
  readonly subject: { readonly type: string; readonly id: string };
  /** 64 lowercase hex digits. */
  readonly contentSha256: string;
}

/**
 * What a receipt says (contract, Receipts), its members in the order of RFC 8785. Version 1 of it never changes: receipts are made from it again and again,
 * always the same bytes.
 */
export const payloadOf = ({
  id,
  kind,
  issuer,
  realm,
  occurredAt,
  actor,
  subject,
  contentSha256,
}: PortableEvent) => ({
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

export type Payload = ReturnType<typeof payloadOf>;

/** The bytes that are signed, as RFC 8785 writes them, and their SHA-256. Of a value in that order, without fractions, JSON.stringify writes the same; each act pays for it. */
export function canonicalOf(payload: Payload): {
  readonly canonical: string;
  readonly sha256: Buffer;
} {
  const canonical = JSON.stringify(payload);
  return { canonical, sha256: createHash('sha256').update(canonical).digest() };
}
