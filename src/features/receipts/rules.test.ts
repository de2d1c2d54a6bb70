import { describe, expect, it } from 'vitest';
import {
  currentOf,
  standingOfFile,
  standingOfInteraction,
  standingOfMessage,
  standingOfThread,
  summaryOf,
} from './rules.ts';

const AT = '2026-03-01T12:00:00.000Z';
const thread = { id: 'thread', title: 'A title', deletedAt: null };
const message = {
  ...thread,
  id: 'message',
  threadId: 'thread',
  position: 3,
  messageDeletedAt: null,
};
const file = { ...message, id: 'file', name: 'notes.txt' };
const interaction = {
  id: 'record',
  interactionId: 'record',
  state: 'recorded',
  newestReceipt: 'newest',
  about: '@eve',
};

describe('what became of the subject of an act', () => {
  it('[receipt.current] is current while it and all that it is in stand', () => {
    for (const { state } of [
      standingOfThread(thread),
      standingOfMessage(message),
      standingOfFile(file),
    ])
      expect(state).toBe('current');
  });

  // The content of a deleted thread goes in slices: until then its messages and files are there.
  it('[receipt.current] [receipt.summary] is deleted with its thread or its message at once, and neither title nor name is shown any more', () => {
    const inDeletedThread = [{ ...thread, deletedAt: AT }]
      .map(standingOfThread)
      .concat(
        standingOfMessage({ ...message, deletedAt: AT }),
        standingOfFile({ ...file, deletedAt: AT }),
      );
    for (const { state, name } of inDeletedThread)
      expect([state, name]).toEqual(['deleted', expect.not.stringMatching(/A title|notes/)]);
    for (const { state, name } of [
      standingOfFile({ ...file, messageDeletedAt: AT }),
      standingOfFile({ ...file, name: null }),
    ])
      expect([state, name]).toEqual(['deleted', 'a file to message 3 in "A title"']);
    expect(standingOfMessage({ ...message, messageDeletedAt: AT }).state).toBe('deleted');
  });

  it('[receipt.current] is superseded by the newest act about it, unless it is that, or was withdrawn', () => {
    const standing = standingOfInteraction(interaction);
    expect(currentOf('older', standing)).toEqual({ state: 'superseded', supersededBy: 'newest' });
    expect(currentOf('newest', standing)).toEqual({ state: 'current', supersededBy: null });
    expect(
      currentOf('older', standingOfInteraction({ ...interaction, state: 'withdrawn' })),
    ).toEqual({ state: 'withdrawn', supersededBy: 'newest' });
  });

  it('[receipt.summary] is told in one line that is never longer than a receipt may show', () => {
    const { name } = standingOfInteraction({ ...interaction, about: '\u{1f600}'.repeat(2_000) });
    const summary = summaryOf({ kind: 'interaction.recorded', actor: { handle: 'ada' } }, { name });
    expect(summary).toBe(`@ada recorded an interaction about ${'\u{1f600}'.repeat(200)}…`);
  });
});
