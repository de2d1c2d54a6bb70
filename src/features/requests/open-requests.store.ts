import { countUpTo } from '../../db/count-up-to.ts';
import type { Queryable } from '../../db/queryable.ts';
import { sql } from '../../db/sql.ts';
import { heldNow } from './request-status.store.ts';

/**
 * Returns a text that changes with what the thread's requests show, null where none can be taken or
 * is held. A request that was answered or cancelled leaves it for good.
 */
export const findOpenRequestsVersion = async (
  db: Queryable,
  threadId: string,
): Promise<string | null> =>
  (
    await db.first<{ version: string | null }>(sql`
      SELECT md5(
        string_agg(concat_ws(' ', q.message_id, q.fence, now.held), ',' ORDER BY q.message_id)
      ) AS version
      FROM requests q
      ${heldNow}
      WHERE q.thread_id = ${threadId} AND q.state IN ('open', 'claimed')
    `)
  )?.version ?? null;

/** Counts the requests of an agent that can be taken or are held, up to `most`. */
export const countOfAuthor = (db: Queryable, agentId: string, most: number) =>
  countUpTo(
    db,
    most,
    sql`FROM requests WHERE author_id = ${agentId} AND state IN ('open', 'claimed')`,
  );
