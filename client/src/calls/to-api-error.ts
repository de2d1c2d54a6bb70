import { errorClasses } from '../generated/error-classes.ts';
import { readBody } from '../read-body.ts';
import { type Problem, StoaApiError } from './stoa-api-error.ts';
import type { CallOptions } from './types.ts';

/** Parses a problem document; null for anything else. */
function parseProblem(text: string): Problem | null {
  try {
    const problem = JSON.parse(text) as Problem | null;
    return typeof problem?.code === 'string' ? problem : null;
  } catch {
    return null;
  }
}

/** Bytes that a problem document may have. Whatever is longer is none. */
const MAX_BYTES = 64 * 1024;

/** Converts a response to an error of the class of its code. Errors: those of the body. */
export async function toApiError(
  response: Response,
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<StoaApiError> {
  const { status, headers } = response;
  const bytes = await readBody(response, { maxBytes: MAX_BYTES, signal });
  const text = new TextDecoder().decode(bytes ?? undefined);
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? parseProblem(text) : null;
  // A newer service may have codes that this package does not know.
  const isKnown = problem !== null && Object.hasOwn(errorClasses, problem.code);
  const ErrorClass = isKnown ? errorClasses[problem.code] : StoaApiError;
  return new ErrorClass(status, problem, headers);
}
