import type { Call } from '../../test/support/linearizability.ts';
import type { ClaimOperation } from './claim-model.ts';

/** What happened to each request, by its id, and calls that may have taken any of them. */
export interface History {
  readonly byRequest: ReadonlyMap<string, Call<ClaimOperation>[]>;
  readonly anyRequest: Call<ClaimOperation>[];
  /** The calls about a request. A worker may hear of it before its author has the answer. */
  getCalls(messageId: string): Call<ClaimOperation>[];
}

/** Creates an empty history. */
export function createHistory(): History {
  const byRequest = new Map<string, Call<ClaimOperation>[]>();
  return {
    byRequest,
    anyRequest: [],
    getCalls(messageId) {
      const calls = byRequest.get(messageId) ?? [];
      byRequest.set(messageId, calls);
      return calls;
    },
  };
}

/** Returns whether a call was told that its request is answered. */
export const isAnswered = (calls: readonly Call<ClaimOperation>[]): boolean =>
  calls.some(
    ({ operation }) =>
      (operation.kind === 'answer' && operation.outcome === 'done') ||
      (operation.kind === 'claim' && operation.outcome.is === 'over'),
  );
