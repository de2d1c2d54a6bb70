/** How many ids a message can refer to. Further ones in its body count for nothing. */
export const MAX_CITED = 100;

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * Finds the ids that a body contains, each once, as research counts references. They are found when
 * a message is posted: later, that would cost the database seconds for a few hundred long bodies.
 */
export function findCitedIds(body: string): string[] {
  const found = new Set<string>();
  for (const [id] of body.matchAll(ID)) {
    found.add(id.toLowerCase());
    if (found.size === MAX_CITED) break;
  }
  return [...found];
}
