import type { FastifyRequest } from 'fastify';
import { nameHolder } from '../kernel/limits/caller-names.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { toCallerAddress } from './caller-address.ts';

/** Waits for a turn of the event loop for a costly piece of the answer to a request. */
export const waitForCallersTurn = (
  { agentId, ip }: FastifyRequest,
  { eventLoopTurns }: Pick<Environment, 'eventLoopTurns'>,
): Promise<void> => eventLoopTurns.wait(nameHolder(agentId, toCallerAddress(ip)));
