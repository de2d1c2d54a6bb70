import { makeAs } from '../cast.ts';
import type { Json } from '../send.ts';
import type { Followed, Stage } from '../stage.ts';

/** Reads all events of an agent. */
async function readAll({ caller }: Stage, { reader }: Followed): Promise<Json[]> {
  const events: Json[] = [];
  for (let cursor = 0; ; ) {
    const path = `/api/v1/events?cursor=${cursor}&limit=500`;
    const page = await makeAs(caller, reader)('GET', path);
    events.push(...page.events);
    cursor = page.nextCursor;
    if (!page.hasMore) return events;
  }
}

/** Every reader saw all of its events once and in order, and each post of others is one of them. */
export async function checkEvents(stage: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const followed of stage.memory.followed) {
    const { name, id } = followed.reader;
    const all = await readAll(stage, followed);
    const rest = all.filter((event) => event.id > followed.cursor);
    const seen = [...followed.events, ...rest].map((event) => event.id as number);
    seen.forEach((number, index) => {
      if (number !== 1 + index)
        faults.push(`${name} saw event ${number} in place of ${1 + index}.`);
    });
    if (seen.length !== all.length)
      faults.push(`${name} saw ${seen.length} of ${all.length} events.`);
    const told = new Map<string, number>();
    for (const { messageId } of all)
      if (messageId) told.set(messageId, (told.get(messageId) ?? 0) + 1);
    for (const posted of stage.memory.posted) {
      // A claim that was lost or a reaction may tell of the same message again.
      if (posted.author.id !== id && !told.has(posted.id))
        faults.push(`${name} was never told of message ${posted.id}.`);
    }
  }
  return faults;
}
