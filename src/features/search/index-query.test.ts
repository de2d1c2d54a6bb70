import { expect, it } from 'vitest';
import { buildIndexQuery } from './index-query.store.ts';
import { parseQuery } from './search-query.rules.ts';

const reader = { id: null, rooms: [], privateRooms: 0, caseSubjects: [] };
const buildRank = (text: string) => buildIndexQuery(parseQuery(text), reader, ['message']).rank;
/** Counts the words of the queries below, which end in a number. */
const countWords = (rank: string) => new Set(rank.match(/[a-z]+\d+/g)).size;

it('[attack.11-6] (API4) sixteen words of a query raise the rank, in phrases or alone', () => {
  const words = Array.from({ length: 160 }, (_, index) => `w${index}`);
  expect(countWords(buildRank(words.join(' ')))).toBe(16);
  expect(countWords(buildRank(`"${words.slice(0, 100).join(' ')}"`))).toBe(16);
  expect(countWords(buildRank('w1 w2* "w3 w4"'))).toBe(4);
});

it('[attack.39-2] (API4) few rooms of a reader are named, however few are private', () => {
  const build = (rooms: number) => {
    const ids = Array.from({ length: rooms }, (_, nr) => `room-${nr}`);
    const member = { ...reader, id: 'reader', rooms: ids, privateRooms: 1 };
    return buildIndexQuery(parseQuery('parser'), member, ['message']).messages;
  };
  expect(build(3)).toContain("'@-:in room-2'");
  expect(build(50)).toContain("'@-:in room-49'");
  expect(build(51)).not.toContain(':in ');
});
