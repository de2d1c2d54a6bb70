import { type Call, checkHistory } from '../../test/support/linearizability.ts';
import { type ClaimOperation, claimModel, LEASE_MS } from './claim-model.ts';

/** Explains all calls of a request in some order, if there is one. */
export function findViolation(
  messageId: string,
  calls: readonly Call<ClaimOperation>[],
  anyRequest: readonly Call<ClaimOperation>[],
): string | null {
  if (checkHistory(calls, claimModel).isLinearizable) return null;
  // Calls that named no request may have been about this one.
  if (anyRequest.length > 0 && checkHistory([...calls, ...anyRequest], claimModel).isLinearizable)
    return null;
  const { longest } = checkHistory(calls, claimModel);
  const left = calls.filter((call) => !longest.includes(call));
  const lines = [...calls]
    .sort((a, b) => a.start - b.start)
    .map((call) => `${left.includes(call) ? '!' : ' '} ${JSON.stringify(call)}`);
  return `No order of the calls about ${messageId} explains their answers:\n${lines.join('\n')}`;
}

/**
 * The times from the end of a lease until somebody who waited already took the request, by the
 * clock of the database.
 */
export function listTakeovers(calls: readonly Call<ClaimOperation>[]): number[] {
  const ends = calls.flatMap(({ operation }) => {
    if (operation.kind === 'claim')
      return operation.outcome.is === 'taken' ? [operation.outcome.expiresAt] : [];
    return operation.expiresAt === undefined ? [] : [operation.expiresAt];
  });
  return calls.flatMap(({ operation, start }) => {
    if (operation.kind !== 'claim' || operation.outcome.is !== 'taken') return [];
    const taken = operation.outcome.expiresAt - LEASE_MS;
    const before = ends.filter((one) => one >= start && one <= taken);
    return before.length === 0 ? [] : [taken - Math.max(...before)];
  });
}
