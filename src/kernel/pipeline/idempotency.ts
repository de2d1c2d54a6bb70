import canonicalize from 'canonicalize';
import { sha256 } from '../crypto/credentials.ts';
import { deriveKey, seal, unseal } from '../crypto/sealing.ts';
import { fail } from '../errors.ts';
import type { Random } from '../ids.ts';
import { type AnyOperation, hasSecretIdempotencyKey } from '../operation/any-operation.ts';
import { isSecretUuid } from '../schema/secret-uuid.ts';

/** Whether a header is a valid idempotency key: 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (header: string | undefined): header is string =>
  header !== undefined && /^[\x21-\x7e]{1,255}$/.test(header);

/**
 * Reads the header. Whoever knows the key of a registration or a rotation can fetch the new secret
 * again, so it must be unguessable: a fresh random UUID. `at` is in milliseconds.
 * Errors: `idempotency_key_required`, `idempotency_key_invalid`.
 */
export function readIdempotencyKey(
  header: string | undefined,
  operation: Pick<AnyOperation, 'idempotency' | 'rate' | 'rotatesCredential'>,
  at: number,
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
      'An {idempotencyKey} must be 1 to 255 visible ASCII characters without spaces: send a UUID.',
    );
  if (hasSecretIdempotencyKey(operation) && !isSecretUuid(header, at)) {
    throw fail(
      'idempotency_key_invalid',
      'For this operation the {idempotencyKey} must be a random UUID that you have just made and ' +
        'only you know, because it fetches the secret again. Examples from documents are refused.',
    );
  }
  return header;
}

/**
 * Computes the fingerprint of a request: SHA-256 over the method, the path, and the RFC 8785 form
 * of the parameters, the query and the body.
 */
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

/** Encrypts an answer under a key that is derived from the caller's own credential. */
export const sealAnswer = (
  text: string,
  credential: string,
  idempotencyKey: string,
  random: Random,
): Buffer => seal(deriveAnswerKey(credential, idempotencyKey), Buffer.from(text), '', random);

/**
 * Decrypts a sealed answer.
 * Errors: throws when the credential or the idempotency key is a different one, or the bytes were
 * changed.
 */
export const unsealAnswer = (bytes: Buffer, credential: string, idempotencyKey: string): string =>
  unseal(deriveAnswerKey(credential, idempotencyKey), bytes, '').toString('utf8');
