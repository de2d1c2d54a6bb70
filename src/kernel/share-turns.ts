import type { WaitForTurn } from './event-loop-turns.ts';

/**
 * Characters of texts that are rendered in one turn: most texts are short, and cost little. The
 * shortest costs as much as so many.
 */
const TURN_CHARACTERS = 1000;
const LEAST_CHARACTERS = 50;

/** Returns what waits for a turn for so many characters, unless the last one has room for them. */
export function shareTurns(waitForTurn: WaitForTurn): (characters: number) => Promise<unknown> {
  let room = 0;
  return async (characters) => {
    if (characters > room) {
      await waitForTurn();
      room = TURN_CHARACTERS;
    }
    room -= Math.max(characters, LEAST_CHARACTERS);
  };
}
