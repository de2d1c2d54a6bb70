import { type Call, isLinearizable } from '../../test/support/linearizability.ts';
import { explainFailure } from '../../test/support/shrink-history.ts';
import type { Node } from '../faults/nodes.ts';
import { type ClaimOperation, claimModel, LEASE_MS } from './claim-model.ts';

/** Says which calls about a request contradict each other: nothing, or one sentence. */
export function findViolations(
  messageId: string,
  calls: readonly Call<ClaimOperation>[],
  anyRequest: readonly Call<ClaimOperation>[],
): readonly string[] {
  if (isLinearizable(calls, claimModel)) return [];
  // Calls that named no request may have been about this one.
  if (anyRequest.length > 0 && isLinearizable([...calls, ...anyRequest], claimModel)) return [];
  return [`About ${messageId}: ${explainFailure(calls, claimModel)}`];
}

/**
 * The times from the end of a lease until somebody took the request who waited already, at a node
 * that was neither dead nor stopped meanwhile, by the clock of the database.
 */
export function listTakeovers(
  calls: readonly Call<ClaimOperation>[],
  nodes: readonly Node[],
): number[] {
  const ends = calls.flatMap(({ operation }) => {
    if (operation.kind === 'claim')
      return operation.outcome.is === 'taken' ? [operation.outcome.expiresAt] : [];
    return operation.expiresAt === undefined ? [] : [operation.expiresAt];
  });
  return calls.flatMap(({ operation }) => {
    if (operation.kind !== 'claim' || operation.outcome.is !== 'taken') return [];
    const { outcome, waited } = operation;
    if (waited === undefined) return [];
    const taken = outcome.expiresAt - LEASE_MS;
    const before = ends.filter((one) => one >= waited.since && one <= taken);
    if (before.length === 0) return [];
    const ended = Math.max(...before);
    const node = nodes.find(({ url }) => url === waited.url);
    const wasAway = node?.outages.some(({ from, to }) => from <= taken && to >= ended);
    return wasAway ? [] : [taken - ended];
  });
}
