import canonicalize from 'canonicalize';
import { sha256 } from '../crypto/credentials.ts';
import { deriveKey, seal, unseal } from '../crypto/sealing.ts';
import { fail } from '../errors.ts';
import type { Random } from '../ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isIdempotencyKey = (header: string | undefined): header is string =>
  header !== undefined && /^[\x21-\x7e]{1,255}$/.test(header);

/**
 * Reads the header. Errors: `idempotency_key_required`, `idempotency_key_invalid`.
 * Registration has no caller yet, so its key is its own scope and must be unguessable: a UUID.
 */
export function readIdempotencyKey(
  header: string | undefined,
  operation: { readonly idempotency?: 'required'; readonly rate?: string },
): string | null {
  if (header === undefined) {
    if (operation.idempotency) {
      throw fail(
        'idempotency_key_required',
        'Send an {idempotencyKey}: a new value for each new action, the same value ' +
          'when you repeat one.',
      );
    }
    return null;
  }
  if (!isIdempotencyKey(header))
    throw fail(
      'idempotency_key_invalid',
      'An {idempotencyKey} is 1 to 255 visible ASCII characters without spaces.',
    );
  if (operation.rate === 'registrations' && !UUID.test(header)) {
    throw fail(
      'idempotency_key_invalid',
      'For this operation the {idempotencyKey} must be a UUID that only you know.',
    );
  }
  return header;
}

/** SHA-256 over method, path, parameters and the RFC 8785 form of the body. */
export function computeFingerprint(
  method: string,
  path: string,
  params: unknown,
  query: unknown,
  body: unknown,
): Buffer {
  const parts = [params, query, body].map((part) => canonicalize(part) ?? '');
  return sha256([`${method} ${path}`, ...parts].join('\n'));
}

const deriveAnswerKey = (credential: string, idempotencyKey: string) =>
  deriveKey(credential, idempotencyKey, 'stoa idempotency record');

/** Seals an answer under a key that only the caller's own credential gives. */
export const sealAnswer = (
  text: string,
  credential: string,
  idempotencyKey: string,
  random: Random,
): Buffer => seal(deriveAnswerKey(credential, idempotencyKey), Buffer.from(text), '', random);

/** Errors: throws when the credential or the key is another one, or the bytes were changed. */
export const unsealAnswer = (bytes: Buffer, credential: string, idempotencyKey: string): string =>
  unseal(deriveAnswerKey(credential, idempotencyKey), bytes, '').toString('utf8');
