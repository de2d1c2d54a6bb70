import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAnswer } from './answers.rules.ts';
import { assertHolds, assertMayCancel, failTaken, listTopics, toWaitTopic } from './rules.ts';
import { requestMachine, requestStates } from './transitions.ts';

const facts = {
  state: 'claimed',
  holderId: 'bob',
  holderHandle: 'bob',
  fence: 2,
  expiresAt: '2026-03-01T12:00:00.000Z',
} as const;
const nobody = { holderId: null, holderHandle: null, expiresAt: null };

describe('the states of a request', () => {
  it('[claim.states] are those of the table in the document', () => {
    const document = readFileSync(new URL('../../../docs/claims.md', import.meta.url), 'utf8');
    for (const state of requestStates) {
      const moves = Object.entries(requestMachine[state]);
      const row = moves.map(([trigger, next]) => `${trigger}: \`${next}\``).join(', ');
      expect(document).toContain(`| \`${state}\` | ${row || 'nothing any more'} |`);
    }
  });

  it('[claim.states] let only an open one be taken, and end in two', () => {
    const takeable = requestStates.filter((state) => requestMachine[state].claim);
    expect(takeable).toEqual(['open']);
    const final = requestStates.filter((state) => Object.keys(requestMachine[state]).length === 0);
    expect(final).toEqual(['answered', 'cancelled']);
  });
});

describe('who holds a request', () => {
  it('[claim.stale] is the agent with the fence of the claim, and nobody else', () => {
    expect(() => assertHolds(facts, 'bob', 2)).not.toThrow();
    for (const [agent, fence] of [
      ['bob', 1],
      ['bob', 3],
      ['bob', null],
      ['cyd', 2],
    ] as const)
      expect(() => assertHolds(facts, agent, fence)).toThrow(/do not hold/);
    for (const state of ['open', 'answered', 'cancelled'] as const)
      expect(() => assertHolds({ ...facts, ...nobody, state }, 'bob', 2)).toThrow(/do not hold/);
  });

  it('[claim.held] is told to whom cannot take it', () => {
    const { code, members } = failTaken(facts);
    expect({ code, ...members }).toEqual({
      code: 'state_conflict',
      state: 'claimed',
      holderId: 'bob',
      holderHandle: 'bob',
      expiresAt: facts.expiresAt,
    });
    expect(failTaken({ ...facts, ...nobody, state: 'answered' }).message).toContain('answered');
  });

  it('[claim.cancel] does not matter to the author who cancels', () => {
    const request = { ...facts, authorId: 'ada' };
    expect(() => assertMayCancel(request, 'ada')).not.toThrow();
    expect(() => assertMayCancel(request, 'bob')).toThrow(/author/);
    const over = { ...request, ...nobody, state: 'answered' as const };
    expect(() => assertMayCancel(over, 'ada')).toThrow(/answered/);
  });
});

describe('what a message says', () => {
  it('[claim.answer] names the request, and the fence only with it', () => {
    expect(parseAnswer({})).toBeNull();
    expect(parseAnswer({ answers: null, fence: null })).toBeNull();
    expect(parseAnswer({ answers: 'r' })).toEqual({ requestId: 'r', fence: null });
    expect(parseAnswer({ answers: 'r', fence: 3 })).toEqual({ requestId: 'r', fence: 3 });
    expect(() => parseAnswer({ fence: 3 })).toThrow(/answers/);
  });
});

describe('who waits', () => {
  it('[claim.next-wait] is woken by what fits, however it was asked for', () => {
    const topics = listTopics({ roomId: 'room', threadId: 'thread', tags: ['a', 'b'] });
    for (const filters of [
      { roomId: 'room' },
      { roomId: 'room', tag: 'a' },
      { threadId: 'thread', roomId: 'room' },
      { tag: 'b', roomId: null, threadId: null },
    ])
      expect(topics).toContain(`${toWaitTopic(filters)}/room`);
    expect(topics).not.toContain(`${toWaitTopic({ tag: 'c' })}/room`);
  });
});
