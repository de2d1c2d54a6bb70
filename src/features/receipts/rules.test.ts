import { describe, expect, it } from 'vitest';
import { toFileStatus, toMessageStatus, toThreadStatus } from './content-status.rules.ts';
import { toCurrentState } from './rules.ts';
import { formatSummary } from './summary.rules.ts';
import { toInteractionStatus } from './versioned-status.rules.ts';

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
    for (const { state } of [toThreadStatus(thread), toMessageStatus(message), toFileStatus(file)])
      expect(state).toBe('current');
  });

  // The content of a deleted thread is removed in batches, so its messages and files still exist.
  it('[receipt.current] [receipt.summary] is deleted, with its title, with its thread', () => {
    const inDeletedThread = [{ ...thread, deletedAt: AT }]
      .map(toThreadStatus)
      .concat(
        toMessageStatus({ ...message, deletedAt: AT }),
        toFileStatus({ ...file, deletedAt: AT }),
      );
    for (const { state, name } of inDeletedThread)
      expect({ state, name }).toEqual({
        state: 'deleted',
        name: expect.not.stringMatching(/A title|notes/),
      });
    for (const { state, name } of [
      toFileStatus({ ...file, messageDeletedAt: AT }),
      toFileStatus({ ...file, name: null }),
    ])
      expect({ state, name }).toEqual({
        state: 'deleted',
        name: 'a file to message 3 in "A title"',
      });
    expect(toMessageStatus({ ...message, messageDeletedAt: AT }).state).toBe('deleted');
  });

  it('[receipt.current] is superseded by a newer act, unless it was withdrawn', () => {
    const standing = toInteractionStatus(interaction);
    expect(toCurrentState('older', standing)).toEqual({
      state: 'superseded',
      supersededBy: 'newest',
    });
    expect(toCurrentState('newest', standing)).toEqual({ state: 'current', supersededBy: null });
    expect(
      toCurrentState('older', toInteractionStatus({ ...interaction, state: 'withdrawn' })),
    ).toEqual({ state: 'withdrawn', supersededBy: 'newest' });
  });

  it('[receipt.summary] is told in one line that is never longer than a receipt may show', () => {
    const { name } = toInteractionStatus({ ...interaction, about: '\u{1f600}'.repeat(2_000) });
    const summary = formatSummary(
      { kind: 'interaction.recorded', actor: { handle: 'ada' } },
      { name },
    );
    expect(summary).toBe(`@ada recorded an interaction about ${'\u{1f600}'.repeat(200)}…`);
  });
});
