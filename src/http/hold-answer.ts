import type { FastifyRequest } from 'fastify';
import type { LoadHolder } from '../kernel/limits/load-limits.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { toCallerAddress } from './caller-address.ts';

/** Shorter answers are not counted: the limit of requests bounds them. */
export const LARGE_BYTES = 8 * 1024;

const getHolder = ({ agentId, ip }: FastifyRequest): LoadHolder => ({
  agentId,
  address: toCallerAddress(ip),
});

/** Breaks an answer off whose bytes are needed for a caller that has much less. */
const breakOff = ({ raw }: FastifyRequest) => raw.socket.destroy();

/** Returns the name under which refused answers are remembered. */
const getAnswerName = ({ operation, routeOptions }: FastifyRequest): string =>
  operation ?? routeOptions.config.operation?.name ?? routeOptions.url ?? '';

/**
 * Counts a large answer as under way until its caller has read it, and until then no less than was
 * counted for the same request before. It is called before the answer is converted or written,
 * because a caller that does not read makes the process keep all of it.
 * Errors: `rate_limited`, `unavailable`.
 */
export function holdAnswer(
  request: FastifyRequest,
  { load, refusedAnswers }: Pick<Environment, 'load' | 'refusedAnswers'>,
  bytes: number,
): void {
  const missing = bytes - request.heldAnswerBytes;
  if (bytes <= LARGE_BYTES || missing <= 0) return;
  const holder = getHolder(request);
  try {
    request.whenOver(load.take('responseBytes', holder, missing, () => breakOff(request)));
  } catch (error) {
    refusedAnswers.remember(holder, getAnswerName(request), bytes);
    throw error;
  }
  request.heldAnswerBytes = bytes;
}

/**
 * Counts a piece of a stream as under way, and returns what to call when its reader has taken it.
 * Errors: `rate_limited`, `unavailable`.
 */
export const holdPiece = (
  request: FastifyRequest,
  { load }: Pick<Environment, 'load'>,
  bytes: number,
): (() => void) =>
  bytes <= LARGE_BYTES
    ? () => {}
    : load.take('responseBytes', getHolder(request), bytes, () => breakOff(request));

/**
 * Counts an answer before it is computed, if its caller was refused one of the same operation
 * lately: as many bytes as that one had. Errors: `rate_limited`, `unavailable`.
 */
export function reserveAnswer(
  request: FastifyRequest,
  env: Pick<Environment, 'load' | 'refusedAnswers'>,
): void {
  const bytes = env.refusedAnswers.find(getHolder(request), getAnswerName(request));
  holdAnswer(request, env, bytes);
}

/** Whether the caller of a request has left, so that nobody will read its answer. */
export const isCallerGone = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;
