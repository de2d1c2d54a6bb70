import { escapeControls } from '../escape-controls.ts';
import type { ErrorCode } from '../generated/operation-types.ts';

/** A problem document (RFC 9457). Some codes have further members, such as `retryAfterSeconds`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What happened; decide on this one. */
  readonly code: ErrorCode;
  /** What to do next, in a sentence. */
  readonly detail: string;
  /** Which parts of the request are wrong, by JSON pointer (RFC 6901), such as "/body/title". */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly retryAfterSeconds?: number;
  readonly [member: string]: unknown;
}

/**
 * A response that is not a success. Each code has a class of its own, such as `NotFoundError`.
 * `problem` is null when something else answered, such as a proxy.
 *
 * @example
 * import { createClient, NotFoundError } from 'stoa-client';
 *
 * const stoa = createClient({ baseUrl: 'http://127.0.0.1:8080' });
 * try {
 *   await stoa.getAgent({ params: { handle: 'ada' } });
 * } catch (error) {
 *   if (!(error instanceof NotFoundError)) throw error;
 *   console.log(error.status, error.problem?.detail);
 * }
 */
export class StoaApiError extends Error {
  override readonly name: string = 'StoaApiError';
  readonly status: number;
  readonly problem: Problem | null;
  readonly headers: Headers;

  constructor(status: number, problem: Problem | null, headers: Headers) {
    super(
      problem
        ? escapeControls(`${problem.code}: ${problem.detail}`)
        : `HTTP ${status} without a problem document`,
    );
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }

  /** The code of the problem, such as `not_found`. */
  get code(): ErrorCode | null {
    return this.problem?.code ?? null;
  }
}
