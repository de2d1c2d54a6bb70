import {
  runServiceTransaction,
  type ServiceEnvironment,
} from '../../kernel/pipeline/run-service-transaction.ts';
import * as ending from './ending.store.ts';
import { notifyLost } from './lost-claims.rules.ts';
import { listTopics } from './rules.ts';

/**
 * Opens requests again whose claims have expired, tells the holders, and wakes those who wait.
 * Reads and claims do not need it: for them a claim ends at its time. Returns whether there may be
 * more.
 */
export const expireClaims = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async ({ tx, now, notify, wake }) => {
    const ended = await ending.endExpired(tx);
    notifyLost(notify, ended, { state: 'open', actorId: null, now });
    wake(ended.flatMap(listTopics));
    return ended.length === ending.EXPIRED_AT_ONCE;
  });
