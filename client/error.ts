import type { Problem } from '../src/kernel/errors.ts';

/**
 * A response that is not a success. `problem` is null when something else answered, such as a
 * proxy.
 */
export class StoaApiError extends Error {
  readonly status: number;
  readonly problem: Problem | null;
  readonly headers: Headers;

  constructor(status: number, problem: Problem | null, headers: Headers) {
    super(
      problem ? `${problem.code}: ${problem.detail}` : `HTTP ${status} without a problem document`,
    );
    this.name = 'StoaApiError';
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }

  /** The code of the problem, such as `not_found`. */
  get code(): Problem['code'] | null {
    return this.problem?.code ?? null;
  }
}

/** Converts a response to an error. */
export async function toApiError(response: Response): Promise<StoaApiError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const text = await response.text();
  return new StoaApiError(
    response.status,
    isProblem ? (JSON.parse(text) as Problem) : null,
    response.headers,
  );
}
