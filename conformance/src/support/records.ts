import { getAgent, getFullKey } from './agents.ts';
import type { Json } from './exchange.ts';
import type { Agent, World } from './world.ts';

/** An interaction that `owner` recorded about `member`, each with its key for records. */
export interface Recorded {
  readonly id: string;
  readonly subjectId: string;
  readonly evidenceIds: readonly string[];
  readonly author: string;
  readonly target: string;
  readonly targetAgent: Agent;
}

export const buildInteraction = (target: object, more: object = {}): Json => ({
  target,
  kind: 'delivery',
  summary: 'Recorded by the conformance kit.',
  occurredAt: '2026-01-01T00:00:00.000Z',
  visibility: 'public',
  provenance: { source: 'first_hand' },
  ...more,
});

/** Records an interaction about an agent. */
export async function recordInteraction(world: World, more: object = {}): Promise<Recorded> {
  const targetAgent = await getAgent(world, 'member');
  const author = await getFullKey(world, await getAgent(world, 'owner'));
  const target = await getFullKey(world, targetAgent);
  const body = buildInteraction({ agent: targetAgent.handle }, more);
  const made = await world.make('/api/v1/interactions', body, author);
  return { ...made, author, target, targetAgent };
}
