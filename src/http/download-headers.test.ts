import { describe, expect, it } from 'vitest';
import { buildContentDisposition, parseRange } from './download-headers.ts';

describe('the name of a download', () => {
  it.for([
    ['notes.txt', 'attachment; filename=notes.txt'],
    ['two words (1).txt', 'attachment; filename="two words (1).txt"'],
    ['say "hi".txt', `attachment; filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`],
    ['100%.txt', `attachment; filename=100_.txt; filename*=UTF-8''100%25.txt`],
    ["it's; filename=x", `attachment; filename="it's; filename=x"`],
    ['Größe.txt', `attachment; filename=Gr__e.txt; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`],
    ["'*!()é", `attachment; filename="'*!()_"; filename*=UTF-8''%27%2A!%28%29%C3%A9`],
    [
      '文書 😀.md',
      `attachment; filename="__ _.md"; filename*=UTF-8''%E6%96%87%E6%9B%B8%20%F0%9F%98%80.md`,
    ],
  ] as const)('[file.headers] of %s', ([name, header]) => {
    expect(buildContentDisposition(name)).toBe(header);
    // Nothing that a header could not carry.
    expect(header).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('the part that is asked for', () => {
  const etag = '"tag"';
  const parse = (range: string | undefined, more: object = {}, size = 100) =>
    parseRange({ ...(range !== undefined && { range }), ...more }, size, etag);

  it.for([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=10-', 10, 99],
    ['bytes=-10', 90, 99],
    ['bytes=90-1000', 90, 99],
    ['Bytes=5-6', 5, 6],
    ['bytes=5-6 ', 5, 6],
    ['bytes=-1000', 0, 99],
  ] as const)('[file.range] is a part: %s', ([range, start, end]) => {
    expect(parse(range)).toMatchObject({ start, end });
  });

  it.for(['bytes=100-', 'bytes=1000-2000', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '[file.range] is none that there is: %s',
    (range) => {
      expect(parse(range)).toBeNull();
      expect({ fromStart: parse('bytes=0-', {}, 0), fromEnd: parse('bytes=-5', {}, 0) }).toEqual({
        fromStart: null,
        fromEnd: null,
      });
    },
  );

  it.for([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=a-b',
    'bytes=1',
    'bytes=--1',
    'bytes=1-2-3',
    'items=0-5',
    'lines=200-',
    'bytes=0-4,5-9',
    'bytes=0-4,50-60',
    'bytes=5-4',
    'bytes=-',
    '0-5',
    'bytes 0-5',
    `bytes=${'9'.repeat(400)}x-`,
  ])('[file.range] is everything: %s', (range) => {
    expect(parse(range)).toBeUndefined();
  });

  it('[file.range] is everything of another version', () => {
    expect(parse('bytes=0-4', { 'if-range': etag })).toMatchObject({ start: 0, end: 4 });
    for (const other of ['"other"', 'W/"tag"', 'Sat, 21 Nov 2026 10:00:00 GMT', ''])
      expect(parse('bytes=0-4', { 'if-range': other })).toBeUndefined();
  });
});
