import { isDeepStrictEqual } from 'node:util';
import type { Exchange, Json } from './exchange.ts';

/** An expectation that the implementation does not meet. */
export class Failure extends Error {
  readonly exchange: Exchange | null;

  constructor(message: string, exchange: Exchange | null = null) {
    super(message);
    this.exchange = exchange;
  }
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
};

/** Fails unless the condition holds. The message says what was expected. */
export function expectThat(
  condition: boolean,
  message: string,
  exchange: Exchange | null = null,
): asserts condition {
  if (!condition) throw new Failure(message, exchange);
}

/** Fails unless both values are the same, members of objects in any order. */
export function expectEqual(
  actual: unknown,
  expected: unknown,
  what: string,
  exchange: Exchange | null = null,
): void {
  expectThat(
    isDeepStrictEqual(actual, expected),
    `expected ${what} to be ${show(expected)}, received ${show(actual)}`,
    exchange,
  );
}

/** Fails unless the text fits the pattern. */
export function expectMatch(
  actual: unknown,
  pattern: RegExp,
  what: string,
  exchange: Exchange | null = null,
): void {
  expectThat(
    typeof actual === 'string' && pattern.test(actual),
    `expected ${what} to match ${pattern}, received ${show(actual)}`,
    exchange,
  );
}

/** Fails unless a header has this value, or fits this pattern. */
export function expectHeader(exchange: Exchange, name: string, expected: string | RegExp): void {
  const value = exchange.headers.get(name);
  if (typeof expected === 'string') expectEqual(value, expected, `header ${name}`, exchange);
  else expectMatch(value, expected, `header ${name}`, exchange);
}

/** Fails unless the call succeeded; returns its JSON. */
export function expectOk(exchange: Exchange): Json {
  expectEqual(exchange.status, 200, 'the status', exchange);
  return exchange.json;
}

/** Fails unless the answer is a refusal with this status and code; returns the problem. */
export function expectProblem(
  exchange: Exchange,
  status: number,
  code: string,
  pointer?: string,
): Json {
  expectEqual(
    { status: exchange.status, code: exchange.json?.code },
    { status, code },
    'the refusal',
    exchange,
  );
  if (pointer !== undefined)
    expectThat(
      exchange.json.errors?.some?.((one: Json) => one.pointer === pointer) === true,
      `expected errors to have the pointer ${pointer}, received ${show(exchange.json.errors)}`,
      exchange,
    );
  return exchange.json;
}

/** Fails unless the value is an object that has all of these members, null or not. */
export function expectMembers(
  value: Json,
  names: readonly string[],
  exchange: Exchange | null = null,
): void {
  expectThat(
    value !== null && typeof value === 'object',
    `expected an object, received ${show(value)}`,
    exchange,
  );
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  expectEqual(missing, [], 'the list of missing members', exchange);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const expectUuid = (value: unknown, what: string, exchange: Exchange | null = null) =>
  expectMatch(value, UUID, what, exchange);
export const expectUuidV7 = (value: unknown, what: string, exchange: Exchange | null = null) =>
  expectMatch(value, UUID_V7, what, exchange);
export const expectTime = (value: unknown, what: string, exchange: Exchange | null = null) =>
  expectMatch(value, TIME, what, exchange);
