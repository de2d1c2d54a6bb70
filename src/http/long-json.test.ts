import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemRandom } from '../kernel/ids.ts';
import { takeLongString } from './long-json.ts';

const MIB = 1024 * 1024;

/** Returns how many turns of the event loop others get while work is under way. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const end = work.then(() => {
    isOver = true;
  });
  for (; !isOver; turns++) await nextTurn();
  await end;
  return turns;
}

it.each(['A', '\\"'])(
  '[attack.2-2-long-message] [ops.no-freeze] 14 MiB of %s are found in turns',
  async (unit) => {
    const text = unit.repeat((14 * MIB) / unit.length);
    const bytes = Buffer.from(`{"id":1,"content":"${text}","name":"a"}`);
    expect(
      await countTurns(takeLongString(bytes, 512 * 1024, systemRandom)),
    ).toBeGreaterThanOrEqual(13);
    const { rest, longString } = await takeLongString(bytes, 512 * 1024, systemRandom);
    expect(JSON.parse(rest.toString())).toEqual({
      id: 1,
      content: longString?.token,
      name: 'a',
    });
    expect(longString?.escaped.equals(Buffer.from(text))).toBe(true);
  },
);
