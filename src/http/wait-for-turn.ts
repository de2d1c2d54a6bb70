import type { FastifyRequest } from 'fastify';
import { nameHolder } from '../kernel/limits/caller-names.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { assertReaderStays } from '../kernel/pipeline/reads/long-poll.ts';
import { toCallerAddress } from './caller-address.ts';
import { isCallerGone } from './hold-answer.ts';

/**
 * Waits for a turn of the event loop for a costly piece of the answer to a request. Errors:
 * `unavailable` when the caller has left meanwhile.
 */
export async function waitForCallersTurn(
  request: FastifyRequest,
  { eventLoopTurns }: Pick<Environment, 'eventLoopTurns'>,
): Promise<void> {
  await eventLoopTurns.wait(nameHolder(request.agentId, toCallerAddress(request.ip)));
  assertReaderStays({ isGone: () => isCallerGone(request) });
}
