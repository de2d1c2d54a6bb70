import { expect, it } from 'vitest';
import type { Queryable } from '../../db/database.ts';
import { getEdition } from './share-sitemaps.ts';

it('[attack.39-5] (API4) a sitemap that failed goes on where it was', async () => {
  const db = {} as Queryable;
  const asked: string[] = [];
  let isBroken = true;
  const findEnd = async (after: string) => {
    asked.push(after);
    if (after === 'b' && isBroken) throw new Error('It took too long.');
    return { a: 'b', b: 'c' }[after] ?? (after === 'c' ? null : 'a');
  };
  await expect(getEdition(db, 0, findEnd).ends).rejects.toThrow('too long');
  isBroken = false;
  asked.length = 0;
  const edition = getEdition(db, 1, findEnd);
  expect(getEdition(db, 2, findEnd)).toBe(edition);
  expect(await edition.ends).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual(['b', 'c']);
});
