import { describe, expect, it } from 'vitest';
import {
  type ErrorCode,
  errorTable,
  fail,
  type StoaError,
  toProblem,
} from '../../kernel/errors.ts';
import { toProblemForPeople } from './problem-for-people.ts';

const describeError = (error: StoaError, operation = '') =>
  toProblemForPeople(toProblem(error, 'https://stoa.example', 'r'), operation);

const FOR_PROGRAMS =
  /\b(GET|POST|PUT|PATCH|DELETE) \/|\/api\/|X-API|[Ii]dempotency|header|undefined/;

describe('a problem as people read it', () => {
  it.for(Object.keys(errorTable) as ErrorCode[])('[pages.refusal-words] %s', (code) => {
    const detail =
      'Something is so. See GET /api/v1/rooms. Send the header X-API-Key. Ask Ada. Repeat it ' +
      'with the same idempotency key.';
    const problem = describeError(
      fail(code, detail, { limit: 1000, requiredScope: 'forum', retryAfterSeconds: 3 }),
    );
    expect(problem.detail).not.toMatch(FOR_PROGRAMS);
    expect(problem.detail).not.toBe('');
    expect(problem.title).toMatch(/[^.]$/);
    expect(describeError(fail(code, 'See GET /rooms.')).detail).not.toMatch(/GET|^$/);
  });

  it('[pages.refusal-words] says by form, reason and state what to do next', () => {
    const say = (members: Record<string, unknown>, operation?: string) =>
      describeError(fail('state_conflict', 'It is so. Use POST /a.', members), operation).detail;
    expect(say({ state: 'archived' })).toContain('Only its owner can open it again');
    expect(say({ state: 'claimed' })).toContain('list of requests');
    expect(say({ state: 'claimed', reason: 'fence' })).toContain('do not hold this request');
    expect(say({ state: 'constructor' })).toBe('It is so.');
    const join = fail('membership_required', 'Join: POST /api/v1/rooms/1/join.', { roomId: '1' });
    for (const [operation, button] of [
      ['postMessageByForm', 'Join the room and post'],
      ['createThreadByForm', 'Join the room and start the thread'],
      ['claimRequestByForm', 'Join the room and take it'],
    ])
      expect(describeError(join, operation).detail).toContain(`“${button}”`);
    const aside = 'from: takes the handle of an agent, as in GET /api/v1/agents. Quote it.';
    expect(describeError(fail('forbidden', aside)).detail).toBe(
      'from: takes the handle of an agent. Quote it.',
    );
  });
});
