import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pieces } from '../kernel/content.ts';
import { nameHolder } from '../kernel/limits/caller-names.ts';
import { BYTES_PER_READ } from '../kernel/limits/rate-limits.ts';
import { isMutation } from '../kernel/operation/any-operation.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { yieldInTurns } from '../kernel/pipeline/reads/yield-in-turns.ts';
import { toCallerAddress } from './caller-address.ts';

/**
 * The same of an export, which is read in turn with others, and as slowly as that takes, and of a
 * file, whose bytes are sent as they are.
 */
export const SAVED_BYTES_PER_READ = 1024 * 1024;

/**
 * Finds the bucket that pays for a read; null for a mutation. Messages of a tool protocol are all
 * paid as reads, and so are pages that answer forms: they may repeat all that was sent.
 */
function findReadRate({ routeOptions }: FastifyRequest): 'reads' | 'searches' | null {
  const { operation } = routeOptions.config;
  if (!operation || operation.kind === 'form') return 'reads';
  const { rate = 'reads' } = operation;
  return !isMutation(operation) && (rate === 'reads' || rate === 'searches') ? rate : null;
}

/**
 * Charges a caller for an answer that is longer than one read pays for, less what was charged for
 * the request before. It is called when the answer is known, so it never refuses it: the reads
 * after it wait until it is paid.
 */
export function chargeAnswer(
  request: FastifyRequest,
  { rateLimiter }: Pick<Environment, 'rateLimiter'>,
  bytes: number,
  bytesPerRead = BYTES_PER_READ,
): void {
  const further = Math.ceil(bytes / bytesPerRead) - 1 - request.paidReads;
  if (further <= 0 || request.readers === null) return;
  const rate = findReadRate(request);
  if (rate === null) return;
  request.paidReads += further;
  for (const who of request.readers) rateLimiter.charge(rate, who, further);
}

/**
 * Asserts, when a read is about to begin, that its caller has paid for those before: whoever sends
 * many at once has taken the first token of each before any is paid. Errors: `rate_limited`.
 */
export function assertPaid(
  request: FastifyRequest,
  { rateLimiter, clock }: Pick<Environment, 'rateLimiter' | 'clock'>,
): void {
  const rate = findReadRate(request);
  if (rate === null) return;
  for (const who of request.readers ?? []) rateLimiter.assertPaid(rate, who, clock());
}

/**
 * Yields the pieces of an answer that is made piece by piece, each in its turn. The caller is
 * charged for the pieces that were made.
 */
export async function* chargePieces(
  request: FastifyRequest,
  env: Pick<Environment, 'rateLimiter' | 'longReads' | 'datasetReads'>,
  { download, figures }: Pick<ContentOperation, 'download' | 'figures'>,
  pieces: Pieces,
): AsyncGenerator<Uint8Array | string> {
  const caller = nameHolder(request.agentId, toCallerAddress(request.ip));
  const turns = figures ? env.datasetReads : env.longReads;
  let bytes = 0;
  try {
    for await (const piece of yieldInTurns(pieces, turns, caller)) {
      bytes += Buffer.byteLength(piece);
      if (piece.length > 0) yield piece;
    }
  } finally {
    chargeAnswer(request, env, bytes, download ? SAVED_BYTES_PER_READ : BYTES_PER_READ);
  }
}

/** Charges for answers that are sent whole, before they are compressed. */
export function addCharges(http: FastifyInstance, env: Pick<Environment, 'rateLimiter'>): void {
  http.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload))
      chargeAnswer(request, env, Buffer.byteLength(payload));
    done(null, payload);
  });
}
