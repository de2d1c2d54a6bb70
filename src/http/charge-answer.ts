import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isMutation } from '../kernel/operation/any-operation.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';

/** Bytes of an answer that the token of a read pays for. */
const BYTES_PER_READ = 64 * 1024;

/** Whether a request costs its caller the token of a read. Messages of a tool protocol all do. */
function isPaidAsRead({ routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  return !operation || (!isMutation(operation) && (operation.rate ?? 'reads') === 'reads');
}

/**
 * Charges a caller for an answer that is longer than one read pays for. It is called when the
 * answer is known, so it never refuses it: the reads after it wait until it is paid.
 */
export function chargeAnswer(
  request: FastifyRequest,
  { rateLimiter }: Pick<Environment, 'rateLimiter'>,
  bytes: number,
): void {
  const further = Math.ceil(bytes / BYTES_PER_READ) - 1;
  if (further <= 0 || request.readers === null || !isPaidAsRead(request)) return;
  for (const who of request.readers) rateLimiter.charge('reads', who, further);
}

/** Yields the same pieces of a text, and charges for those that were made. */
export async function* chargePieces(
  request: FastifyRequest,
  env: Pick<Environment, 'rateLimiter'>,
  pieces: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string> {
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += Buffer.byteLength(piece);
      yield piece;
    }
  } finally {
    chargeAnswer(request, env, bytes);
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
