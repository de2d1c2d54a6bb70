import { expect, it } from 'vitest';
import { buildIndexQuery } from './index-query.store.ts';
import { parseQuery } from './search-query.rules.ts';

const reader = { id: null, rooms: [], hasMoreRooms: false, caseSubjects: [] };
const buildRank = (text: string) => buildIndexQuery(parseQuery(text), reader, ['message']).rank;
/** Counts the words of the queries below, which end in a number. */
const countWords = (rank: string) => new Set(rank.match(/[a-z]+\d+/g)).size;

it('[attack.11-6] (API4) sixteen words of a query raise the rank, in phrases or alone', () => {
  const words = Array.from({ length: 160 }, (_, index) => `w${index}`);
  expect(countWords(buildRank(words.join(' ')))).toBe(16);
  expect(countWords(buildRank(`"${words.slice(0, 100).join(' ')}"`))).toBe(16);
  expect(countWords(buildRank('w1 w2* "w3 w4"'))).toBe(4);
});

const isPublic = (query: string) => !query.includes("'@-") && !query.includes(':in ');

it.each([0, 1, 50, 51, 1_000])(
  '[attack.39-2] [attack.57-2] (API1) what is private is searched in %i rooms of a reader alone',
  (count) => {
    const rooms = Array.from({ length: count }, (_, nr) => `room-${nr}`);
    const member = { ...reader, id: 'reader', rooms };
    const { messages, names } = buildIndexQuery(parseQuery('parser -draft'), member, [
      'message',
      'thread',
    ]);
    for (const [queries, prefix] of [
      [messages ?? [], '@-'],
      [names ?? [], ''],
    ] as const) {
      const [first = '', ...ofRooms] = queries;
      expect(isPublic(first)).toBe(true);
      expect(ofRooms).toHaveLength(Math.ceil(count / 50));
      const named = ofRooms.map((query) =>
        query.match(/:in room-\d+/g)?.map((one) => one.slice(4)),
      );
      expect(named.flat()).toEqual(rooms);
      // Each of them wants the word, and one of its rooms.
      for (const query of ofRooms)
        expect(query).toMatch(new RegExp(`'${prefix}parser' & .*& \\('${prefix}:in room-`));
    }
  },
);
