import canonicalize from 'canonicalize';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { failField } from '../../kernel/errors.ts';

/** What a new message says about requests. */
interface AnswerInput {
  readonly answers?: string | null | undefined;
  readonly fence?: number | null | undefined;
}

/** An answer to a request, with the fence of the claim. */
export interface Answer {
  readonly requestId: string;
  /** Null is the fence of no claim. */
  readonly fence: number | null;
}

/** Returns what a message answers, or null. Errors: `invalid_request` for a fence alone. */
export function parseAnswer({ answers = null, fence = null }: AnswerInput): Answer | null {
  if (answers !== null) return { requestId: answers, fence };
  if (fence === null) return null;
  throw failField('/body/fence', 'needs `answers`, the id of the request');
}

/**
 * Computes the hash in the receipt of an answer: SHA-256 over the RFC 8785 form of the id of the
 * answer and the SHA-256 of its body. The receipt's subject is the request.
 */
export const hashAnswer = (answerId: string, bodySha256: Buffer): Buffer =>
  sha256(canonicalize({ answerId, bodySha256: bodySha256.toString('hex') }) ?? '');
