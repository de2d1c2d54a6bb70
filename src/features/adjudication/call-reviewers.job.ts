import { reasonBits } from '../../kernel/effects.ts';
import {
  runServiceTransaction,
  type ServiceEnvironment,
} from '../../kernel/pipeline/run-service-transaction.ts';
import * as calls from './case-calls.store.ts';

/** The number of reviewers told in one transaction. */
const REVIEWERS_PER_TRANSACTION = 500;

/**
 * Tells the next slice of reviewers that a case opened or closed. Any number of nodes may run it.
 * Returns whether there may be more.
 */
export const callReviewers = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async ({ tx, notify }) => {
    const call = await calls.lockCall(tx);
    if (!call) return false;
    const slice = await calls.listNextReviewers(tx, call, REVIEWERS_PER_TRANSACTION);
    const last = slice.at(-1);
    if (last && slice.length === REVIEWERS_PER_TRANSACTION)
      calls.advanceCall(tx, call.id, last.agentId);
    else calls.deleteCall(tx, call.id);
    const addressees = slice.flatMap(({ agentId, eligible }) =>
      eligible ? [{ agentId, reasons: reasonBits.case }] : [],
    );
    const { caseId, state, actorId, createdAt } = call;
    if (addressees.length > 0)
      notify(addressees, {
        roomId: null,
        messageId: null,
        actorId,
        subject: { type: 'case', id: caseId, state },
        createdAt,
      });
    return true;
  });
