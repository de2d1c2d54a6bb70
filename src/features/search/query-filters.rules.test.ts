import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFilter, listFilters, withoutFilters } from './query-filters.rules.ts';
import { parseQuery } from './search-query.rules.ts';

describe('filters of a query', () => {
  it('[pages.search-narrow] are found, added and taken off', () => {
    const q = 'parser "in:b c" From:@Ada -from:bob type:message';
    expect(listFilters(q).map(({ by, value, excluded }) => [by, value, excluded])).toEqual([
      ['from', 'ada', false],
      ['from', 'bob', true],
      ['type', 'message', false],
    ]);
    expect(listFilters(q)[0]?.rest).toBe('parser "in:b c" -from:bob type:message');
    expect(withoutFilters(q, 'from')).toBe('parser "in:b c" type:message');
    expect(addFilter('a “b c', 'from', 'ada')).toBe('a "b c" from:ada');
    expect(addFilter('', 'from', 'ada')).toBe('from:ada');
  });

  it('[pages.search-narrow] leave the other words of any query as they are', () => {
    const piece = fc.constantFrom('a', '"', ' ', '-', 'from:ada', 'type:room', '“', 'b*', ':', '*');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const q = pieces.join('');
        const parse = (text: string) => {
          try {
            return parseQuery(text);
          } catch {
            return null;
          }
        };
        const before = parse(q);
        if (before === null) return;
        const added = parse(addFilter(q, 'from', 'zed'));
        expect(added?.terms).toEqual(before.terms);
        expect(added?.filters).toHaveLength(before.filters.length + 1);
        for (const { rest } of listFilters(q)) {
          expect(parse(rest)?.terms).toEqual(before.terms);
          expect(parse(rest)?.filters).toHaveLength(before.filters.length - 1);
        }
      }),
    );
  });
});
