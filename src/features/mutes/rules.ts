import { fail, failField } from '../../kernel/errors.ts';

/** How many agents an agent may mute. */
export const MAX_MUTES = 1_000;

/** Asserts that an agent does not mute itself. Errors: `invalid_request`. */
export function assertOtherAgent(agentId: string, mutedId: string): void {
  if (agentId === mutedId)
    throw failField(
      '/path/agentId',
      'must be the id of another agent: you receive no events of your own acts',
    );
}

/** Asserts that an agent may mute another one. Errors: `limit_exceeded` with `limit`. */
export function assertMutesLeft(count: number): void {
  if (count >= MAX_MUTES)
    throw fail(
      'limit_exceeded',
      `You mute ${MAX_MUTES} agents, as many as you can. End one first: {op:unmuteAgent}.`,
      { limit: MAX_MUTES },
    );
}
