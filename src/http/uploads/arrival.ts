import type { FastifyRequest } from 'fastify';
import { failField } from '../../kernel/errors.ts';
import { failTooLarge } from '../../kernel/pipeline/uploads/uploads.ts';
import { STALL_BYTES, STALL_MS } from '../admission/request-body.ts';
import { failLate } from '../fail-late.ts';

/** Bytes that a form needs beside its file: the boundaries and the header of the part. */
export const FORM_BYTES = 64 * 1024;

/** Watches how the bytes of a form arrive. */
interface Arrival {
  /**
   * Waits for a part of the form. Errors: `payload_too_large` when more bytes arrive than a form
   * with the largest file can have, even if no part ever begins or ends; `invalid_request` when
   * hardly any arrive while they are waited for, and when the connection has broken.
   */
  wait<Result>(part: Promise<Result>): Promise<Result>;
}

/** Watches how the bytes of a form arrive, which has a file of at most `limit` bytes. */
export function watchArrival(request: FastifyRequest, limit: number): Arrival {
  const { raw } = request;
  let size = 0;
  let sizeBefore = 0;
  let waits = 0;
  let hasWaited = false;
  const failure = new Promise<never>((_, reject) => {
    raw.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > limit + FORM_BYTES) reject(failTooLarge(limit));
    });
    const timer = setInterval(() => {
      // While the store of files is slow, nothing is read and nothing is waited for.
      const isWaiting = waits > 0;
      if (isWaiting && hasWaited && size - sizeBefore < STALL_BYTES) reject(failLate());
      hasWaited = isWaiting;
      sizeBefore = size;
    }, STALL_MS);
    request.whenClosed(() => {
      clearInterval(timer);
      // The parser does not notice a connection that had broken before it began to read.
      reject(failField('/body', 'the request broke off. Send the whole form again'));
    });
  });
  failure.catch(() => {});
  return {
    async wait(part) {
      waits += 1;
      try {
        return await Promise.race([part, failure]);
      } finally {
        waits -= 1;
      }
    },
  };
}
