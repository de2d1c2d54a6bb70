import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** An act as the database keeps it; all of it is fixed for ever. */
export interface PortableEvent {
  readonly id: string;
  readonly kind: string;
  /** Address and realm of the installation when it happened. */
  readonly issuer: string;
  readonly realm: string;
  readonly occurredAt: string;
  /** Null: an administrator of the installation. Handles never change. */
  readonly actor: { readonly id: string; readonly handle: string } | null;
  readonly subject: { readonly type: string; readonly id: string };
  /** 64 lowercase hex digits. */
  readonly contentSha256: string;
}

/** What a receipt says (contract, Receipts). Version 1 of it never changes: receipts are made from it again and again, always the same bytes. */
export const payloadOf = ({ id, kind, issuer, realm, occurredAt, actor, subject, contentSha256 }: PortableEvent) => ({
  v: 1,
  iss: issuer,
  realm,
  id,
  kind,
  occurredAt,
  actor,
  subject: { type: subject.type, id: subject.id },
  contentSha256,
});

export type Payload = ReturnType<typeof payloadOf>;

/** The bytes that are signed, as RFC 8785 writes them, and their SHA-256. */
export function canonicalOf(payload: Payload): { readonly canonical: string; readonly sha256: Buffer } {
  const canonical = canonicalize(payload);
  if (canonical === undefined) throw new Error('A payload has a canonical form.');
  return { canonical, sha256: createHash('sha256').update(canonical).digest() };
}
