import type { Json } from './exchange.ts';
import type { Agent, World } from './world.ts';

/** Follows a stream from a cursor to its end. */
async function followStream(world: World, agent: Agent, from: number) {
  const found: Json[] = [];
  let cursor = from;
  for (;;) {
    const path = `/api/v1/events?cursor=${cursor}&limit=500`;
    const page = await world.read(path, { as: agent });
    found.push(...page.events);
    cursor = page.nextCursor;
    if (!page.hasMore) return { found, cursor };
  }
}

/** The newest cursor of an agent's stream. */
export const getEventHead = async (world: World, agent: Agent): Promise<number> =>
  (await followStream(world, agent, 0)).cursor;

/** Events after a cursor that have these members. Other checks cause events of the same agent. */
export async function readEvents(
  world: World,
  agent: Agent,
  from: number,
  wanted: Readonly<Record<string, unknown>>,
): Promise<Json[]> {
  const { found } = await followStream(world, agent, from);
  return found.filter((event) =>
    Object.entries(wanted).every(([name, value]) => event[name] === value),
  );
}
