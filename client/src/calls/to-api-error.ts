import { errorClasses } from '../generated/error-classes.ts';
import { type Problem, StoaApiError } from './stoa-api-error.ts';

/** Parses a problem document; null for anything else. */
function parseProblem(text: string): Problem | null {
  try {
    const problem = JSON.parse(text) as Problem | null;
    return typeof problem?.code === 'string' ? problem : null;
  } catch {
    return null;
  }
}

/** Converts a response to an error of the class of its code. */
export async function toApiError(response: Response): Promise<StoaApiError> {
  const { status, headers } = response;
  const text = await response.text();
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? parseProblem(text) : null;
  // A newer service may have codes that this package does not know.
  const isKnown = problem !== null && Object.hasOwn(errorClasses, problem.code);
  const ErrorClass = isKnown ? errorClasses[problem.code] : StoaApiError;
  return new ErrorClass(status, problem, headers);
}
