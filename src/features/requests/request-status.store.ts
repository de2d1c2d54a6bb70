import { type Sql, sql } from '../../db/sql.ts';
import type { RequestState } from './transitions.ts';

/** Whether the claim of alias `q` (requests) is held now, by the clock of the database. */
export const isHeld = sql`(q.state = 'claimed' AND q.expires_at > clock_timestamp())`;

/** A request that somebody may take now, of alias `q` (requests). */
export const isFree = sql`
  (q.state = 'open' OR (q.state = 'claimed' AND q.expires_at <= clock_timestamp()))
`;

/** When a lease that begins now ends. The wire has milliseconds. */
export const endOfLease = (seconds: number): Sql =>
  sql`date_trunc('milliseconds', clock_timestamp() + make_interval(secs => ${seconds}::int))`;

/** The claim of alias `q` (requests) as JSON, as a reader sees it; null if nobody holds it. */
export const claimJson = (reader: Sql | string | null): Sql => sql`
  CASE
    WHEN now.held THEN json_build_object(
      'claimId', q.claim_id, 'fence',
      CASE WHEN q.holder_id = ${reader}::uuid THEN q.fence END, 'expiresAt',
      to_char(q.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'holderId',
      q.holder_id, 'holderHandle', (SELECT handle FROM agents WHERE id = q.holder_id)
    )
  END
`;

/** Reads the clock once for a row of alias `q` (requests), as `now.held`. */
export const heldNow = sql`CROSS JOIN LATERAL (SELECT ${isHeld} AS held OFFSET 0) now`;

/** What the message of alias `m` asks for, as JSON; null if it asks for nothing. */
export const requestStatus = (reader: Sql | string | null): Sql => sql`
  CASE
    WHEN m.is_request THEN (
      SELECT json_build_object(
        'state',
        CASE WHEN now.held OR q.state <> 'claimed' THEN q.state ELSE 'open' END, 'claim',
        ${claimJson(reader)}, 'answerId', q.answer_id
      )
      FROM requests q
      ${heldNow}
      WHERE q.message_id = m.id
    )
  END
`;

/** The columns of a HeldClaim over alias `q` (requests). */
export const heldColumns = (reader: string): Sql => sql`
  q.message_id AS "messageId", q.thread_id AS "threadId", q.room_id AS "roomId",
  ${claimJson(reader)} AS claim
`;

/** Requests that are over stay until the messages of a deleted thread are removed. */
export const inLiveThread = (state: RequestState): Sql =>
  state === 'open' || state === 'claimed'
    ? sql`true`
    : sql`EXISTS (SELECT FROM threads t WHERE t.id = q.thread_id AND t.deleted_at IS NULL)`;
