import { setTimeout as sleep } from 'node:timers/promises';

/** What callers have under way, and what the process works on; all of it ends with its requests. */
const HELD = /^stoa_(?:under_way|work_in_hand)\{kind="\w+"\} [1-9]\d*$/gm;
/** The call that asks is under way itself. */
const OWN_CALL = 'stoa_under_way{kind="requests"} 1';
/** Seconds that whatever was under way at the end of a run may take. */
const SECONDS = 20;

/** Waits until nothing is held any more, and returns what still is after some time. */
export async function findHeldWork(url: string, adminKey: string): Promise<readonly string[]> {
  let held: readonly string[] = [];
  for (let second = 0; second < SECONDS; second++) {
    const answer = await fetch(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } });
    const found = (await answer.text()).match(HELD) ?? [];
    held = found.filter((line) => line !== OWN_CALL);
    if (held.length === 0) break;
    await sleep(1000);
  }
  return held;
}
