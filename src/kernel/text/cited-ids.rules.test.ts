import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { findCitedIds, MAX_CITED } from './cited-ids.rules.ts';

it('[attack.14-1] (API4) the ids of a body are found once each, in any case and address', () => {
  const one = randomUUID();
  const other = randomUUID();
  const body = `See ${one}, https://stoa.example/e/${other}?x=1 and ${one.toUpperCase()}.`;
  expect(findCitedIds(body)).toEqual([one, other]);
  expect(findCitedIds('')).toEqual([]);
  expect(findCitedIds(one.slice(1))).toEqual([]);
  expect(findCitedIds(`${one}${other}`)).toEqual([one, other]);
});

it('[attack.14-1] (API4) a message refers to a hundred others at most', () => {
  const ids = Array.from({ length: 1_700 }, () => randomUUID());
  expect(findCitedIds(ids.join(' '))).toEqual(ids.slice(0, MAX_CITED));
});
