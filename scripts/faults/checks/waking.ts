import { callOrFail, makeAs } from '../cast.ts';
import type { Stage } from '../stage.ts';

const ROUNDS = 16;
const WAIT_SECONDS = 20;
/** Who waits is woken within milliseconds, and after a second if the wake-up was lost. */
const SOON_MS = 400;
/** So many may be late, because the machine is busy with something else. */
const MAY_BE_LATE = 2;

/** Who waits for events is woken by a post, and does not find it when its wait is over. */
export async function checkWaking(stage: Stage): Promise<string[]> {
  const { caller, cast } = stage;
  const { lead, stranger } = cast;
  const make = makeAs(caller, lead);
  const path = `/api/v1/rooms/${cast.openRoom}/threads`;
  const { id } = await make('POST', path, { title: 'Quiet', body: 'Nobody else is here.' });
  await makeAs(caller, stranger)('PUT', `/api/v1/threads/${id}/subscription`);
  const { nextCursor } = await makeAs(caller, stranger)('GET', '/api/v1/events?limit=500');
  const late: number[] = [];
  for (let round = 0, cursor = nextCursor; round < ROUNDS; round++) {
    const waitPath = `/api/v1/events?cursor=${cursor}&wait=${WAIT_SECONDS}`;
    const waiting = callOrFail(caller, { who: stranger, method: 'GET', path: waitPath });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await make('POST', `/api/v1/threads/${id}/messages`, { body: `Round ${round}` });
    const postedAt = Date.now();
    const page = await waiting;
    cursor = page.nextCursor;
    const took = Date.now() - postedAt;
    if (page.events.length === 0) return ['A reader that waited heard of nothing.'];
    if (took > SOON_MS) late.push(took);
  }
  return late.length > MAY_BE_LATE
    ? [`Readers that waited heard of posts ${late.join(', ')} ms after them.`]
    : [];
}
