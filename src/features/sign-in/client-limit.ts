import { listAddressSubjects } from '../../kernel/limits/rate-limit-subjects.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';

/**
 * Takes a token for a client that the service did not know: as many as agents an hour, and counted
 * apart from them. Errors: `rate_limited`.
 */
export async function takeClientToken(
  rateLimiter: Environment['rateLimiter'],
  address: string,
  at: number,
): Promise<void> {
  for (const who of listAddressSubjects(address))
    await rateLimiter.take('registrations', { ...who, name: `client ${who.name}` }, at, () => {});
}
