import { expect, it } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import * as ranges from '../../../src/features/messages/message-ranges.store.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const MESSAGES = 20_000;
const LIMIT = 2;

/** A step of a plan as EXPLAIN (FORMAT JSON) describes it. */
interface PlanStep {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Counts the blocks that the statements of a read touch. */
async function countBlocks(read: (tx: Queryable) => Promise<unknown>): Promise<number> {
  let blocks = 0;
  await db.transaction((tx) =>
    read({
      ...tx,
      rows: async <Row>(query: Sql) => {
        const [explained] = await tx.rows<{ 'QUERY PLAN': readonly { Plan: PlanStep }[] }>(
          sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`,
        );
        for (const { Plan } of explained?.['QUERY PLAN'] ?? [])
          blocks += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
        return tx.rows<Row>(query);
      },
    }),
  );
  return blocks;
}

it('[message.page-cost] listMessages reads page 10,000 from as many blocks as page 1', async () => {
  const author = await f.createAgent();
  const thread = await f.createThread(author, await f.createRoom(author));
  await db.run(sql`
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, mentions, receipt_id, created_at
    )
    SELECT gen_random_uuid(), ${thread}, n, ${author.id}, 'Message ' || n, '\\x00', '{}',
      gen_random_uuid(), now()
    FROM generate_series(1, ${MESSAGES}::int - 1) n
  `);
  await db.run(sql`
    UPDATE threads
    SET message_count = ${MESSAGES}
    WHERE id = ${thread}
  `);
  await db.run(sql`VACUUM ANALYZE messages`);

  const costs: number[] = [];
  const size = { maxBytes: 1024 * 1024, least: 1 };
  for (const from of [0, MESSAGES - LIMIT]) {
    costs.push(
      await countBlocks((tx) =>
        ranges.listRangeWithin(tx, thread, { from, to: from + LIMIT }, size, null),
      ),
    );
    const page: Json = await f.ok(
      'GET',
      `/api/v1/threads/${thread}/messages?offset=${from}&limit=${LIMIT}`,
    );
    expect(page.messages.map(({ position }: Json) => position)).toEqual([from, from + 1]);
  }
  const [first = 0, last = 0] = costs;
  expect(first).toBeGreaterThan(0);
  // The rows of one page may lie on one block of the table more or less.
  expect(Math.abs(last - first)).toBeLessThanOrEqual(2);
});
