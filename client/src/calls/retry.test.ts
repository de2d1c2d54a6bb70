import { afterEach, expect, it, vi } from 'vitest';
import { callUntilAnswered, isFinal } from './call-until-answered.ts';
import { sleepMs } from './retry.ts';
import { type Problem, StoaApiError } from './stoa-api-error.ts';

// The spy wraps the timer that stands still, so it goes first.
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('[attack.7-5] (API10) waits an hour at most, whatever an answer asks for', async () => {
  for (const asked of ['99999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    const slept: number[] = [];
    const refusal = new StoaApiError(429, null, new Headers({ 'retry-after': asked }));
    let tries = 0;
    const call = async () => {
      if (tries++ < 2) throw refusal;
      return 'done';
    };
    const sleep = async (milliseconds: number) => void slept.push(milliseconds);
    expect(await callUntilAnswered(call, { sleep })).toBe('done');
    expect(slept).toEqual([3_600_000, 3_600_000]);
  }
});

it('[attack.55-4] (API10) takes a refusal of a filter before the service for final', async () => {
  const kinds = [400, 403, 404, 405, 413, 451, 408, 425, 429, 502, 503].map((status) => ({
    status,
    final: isFinal(new StoaApiError(status, null, new Headers())),
  }));
  const passing = kinds.filter(({ final }) => !final).map(({ status }) => status);
  expect(passing).toEqual([408, 425, 429, 502, 503]);
  const problem = { code: 'idempotency_in_progress', status: 409 } as unknown as Problem;
  expect(isFinal(new StoaApiError(409, problem, new Headers()))).toBe(false);
});

it('[attack.7-5] (API10) no sleep is so long that its timer ends at once', async () => {
  vi.useFakeTimers();
  const set = vi.spyOn(globalThis, 'setTimeout');
  const abort = new AbortController();
  const sleeping = sleepMs(99_999_999_999_000, abort.signal);
  expect(set.mock.calls[0]?.[1]).toBe(2 ** 31 - 1);
  abort.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
});
