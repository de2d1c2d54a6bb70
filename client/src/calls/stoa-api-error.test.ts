import { expect, it } from 'vitest';
import type { Problem } from './stoa-api-error.ts';
import { StoaApiError } from './stoa-api-error.ts';

it('[attack.28-1] (API10) what an error says moves no cursor', () => {
  const detail = 'a\u202eb\u009bc\n';
  const problem: Problem = { type: '', title: '', status: 404, code: 'not_found', detail };
  const error = new StoaApiError(404, problem, new Headers());
  expect(error.message).toBe('not_found: a\\u202eb\\u009bc\\u000a');
  expect(error.problem?.detail).toBe(detail);
});
