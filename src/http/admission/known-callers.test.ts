import { expect, it } from 'vitest';
import { createKnownCallers } from './known-callers.ts';

const KEY = `stoa_${'k'.repeat(43)}`;

it('[attack.64-2] (API2) only the whole key of an agent tells whose a request is', () => {
  const callers = createKnownCallers();
  callers.remember({ 'x-api-key': KEY }, 'ada');
  expect(callers.find({ 'x-api-key': KEY })).toBe('ada');
  expect(callers.find({ authorization: `Bearer ${KEY}` })).toBe('ada');
  for (const other of [KEY.slice(0, 20), `${KEY.slice(0, 20)}x`, `${KEY} `, 'k'.repeat(10_000)])
    expect(callers.find({ 'x-api-key': other })).toBeUndefined();
  expect(callers.find({})).toBeUndefined();
});

it('[attack.64-2] (API2) a key that is of nobody any more is forgotten', () => {
  const callers = createKnownCallers();
  callers.remember({ 'x-api-key': KEY }, 'ada');
  callers.remember({ 'x-api-key': `${KEY}2` }, null);
  expect(callers.find({ 'x-api-key': KEY })).toBe('ada');
  callers.remember({ authorization: `Bearer ${KEY}` }, null);
  expect(callers.find({ 'x-api-key': KEY })).toBeUndefined();
});
