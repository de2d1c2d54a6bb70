import { expect, it } from 'vitest';
import { DatabaseUnavailable, isUnavailable, wasRolledBack } from './database-errors.ts';

const buildFailure = (code: string) => Object.assign(new Error('failed'), { code });

it.each([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '08006',
  '57P01',
  '57014',
  '55P03',
  '53100',
  '25006',
])('%s means that the store cannot answer now', (code) => {
  expect(isUnavailable(buildFailure(code))).toBe(true);
});

it.each(['23505', '42P01', '22P02', '40001', 'ERR_ASSERTION', ''])('%s does not', (code) => {
  expect(isUnavailable(buildFailure(code))).toBe(false);
});

it.each([
  ['57014', true],
  ['55P03', true],
  ['53100', true],
  ['23505', true],
  ['08006', false],
  ['57P01', false],
  ['25P03', false],
  ['ECONNRESET', false],
  ['', false],
])('after %s the transaction has certainly had no effect: %s', (code, certain) => {
  expect(wasRolledBack(buildFailure(code))).toBe(certain);
  expect(new DatabaseUnavailable(buildFailure(code)).rolledBack).toBe(certain);
});
