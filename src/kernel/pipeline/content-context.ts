import type { Queryable, ReadQueue } from '../../db/database.ts';
import type { ContentOperation } from '../operation/content-operation.ts';
import type { Call, Environment } from './environment.ts';
import { assertStillAllowed } from './guard.ts';
import { assertMayRead, assertReaderStays } from './reads/long-poll.ts';
import { assertMayWait } from './reads/read-limits.ts';

/** Builds what the handler of content has besides that of other reads. */
export function buildContentContext(
  env: Environment,
  operation: ContentOperation,
  call: Call,
  caller: string,
) {
  return {
    blobs: env.blobs,
    openApi: env.openApi,
    signal: () => call.signal?.() ?? new AbortController().signal,
    holdPrepared: (bytes: number) => {
      // Callers that have left pay for what was made for them.
      call.onPrepared?.(bytes);
      assertReaderStays(call);
    },
    waitForTurn: async () => {
      await env.eventLoopTurns.wait(caller);
      assertReaderStays(call);
    },
    bookmark: call.bookmark,
    visitor: call.visitor ?? null,
    reauthorize: () => assertStillAllowed(env, operation, call),
    readInTurn: <Result>(readTexts: () => Promise<Result>) =>
      env.db.readInTurn(
        'html',
        () => {
          assertMayRead(call);
          return readTexts();
        },
        caller,
      ),
    runLongRead: <Result>(
      statementTimeoutMs: number,
      work: (tx: Queryable) => Promise<Result>,
      queue?: ReadQueue,
    ) => {
      // Whatever counts figures piece by piece has a turn for each, which others do not wait for.
      // Whoever has the turn of a page must not wait for another one.
      const skipsQueue = operation.figures === true || operation.offsetIsPosition === true;
      if (queue === 'lists' && !skipsQueue)
        assertMayWait(queue, env.db.countWaitingReads(queue, caller));
      return env.db.transaction(work, {
        statementTimeoutMs,
        genericPlans: true,
        ...(queue && { queue }),
        caller,
        skipsQueue,
      });
    },
  };
}
