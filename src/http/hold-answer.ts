import type { FastifyRequest } from 'fastify';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { toCallerAddress } from './caller-address.ts';

/** Shorter answers are not counted: the limit of requests bounds them. */
const LARGE_BYTES = 64 * 1024;

/**
 * Counts a large answer as under way until its caller has read it, and until then no less than was
 * counted for the same request before. It is called before the answer is converted or written,
 * because a caller that does not read makes the process keep all of it.
 * Errors: `rate_limited`, `unavailable`.
 */
export function holdAnswer(
  request: FastifyRequest,
  { load }: Pick<Environment, 'load'>,
  bytes: number,
): void {
  const missing = bytes - request.heldAnswerBytes;
  if (bytes <= LARGE_BYTES || missing <= 0) return;
  const holder = { agentId: request.agentId, address: toCallerAddress(request.ip) };
  request.whenOver(load.take('responseBytes', holder, missing));
  request.heldAnswerBytes = bytes;
}

/** Whether the caller of a request has left, so that nobody will read its answer. */
export const isCallerGone = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;
