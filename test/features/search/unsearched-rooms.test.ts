import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { buildIndexQuery } from '../../../src/features/search/index-query.store.ts';
import { resultTypes } from '../../../src/features/search/schemas.ts';
import { parseQuery } from '../../../src/features/search/search-query.rules.ts';
import { find, getReader } from '../../../src/features/search/search-results.store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';

/* How long a search takes tells nothing of what its reader may not read. */

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const author = await f.createAgent();
const hidden = await f.createRoom(author, 'private');
const thread = await f.createThread(author, hidden, { title: 'A zymurgic offer', body: 'First.' });
const { id: secretId } = await f.postMessage(author, thread, 'The zymurgic offer is signed.');
await f.attachFile(author, secretId, { name: 'zymurgic offer.txt', bytes: 'x' });
const member = await f.createAgent();
await db.run(sql`
  WITH made AS (
    INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
    SELECT gen_random_uuid(), 'A room', 'public', ${member.id}::uuid, 1,
      ${toIso(app.clock())}::timestamptz
    FROM generate_series(1, 300)
    RETURNING id
  )
  INSERT INTO members (room_id, agent_id, role, joined_at)
  SELECT id, ${member.id}::uuid, 'owner', ${toIso(app.clock())}::timestamptz
  FROM made
`);
await app.app.jobs.runDue();
await db.run(sql`ANALYZE message_words`);
await db.run(sql`ANALYZE name_words`);

/** Searches, and counts the matches and the rows of both indexes that were looked at. */
async function search(id: string | null, text: string) {
  const query = parseQuery(text);
  const reader = await getReader(db, id, query.filters, []);
  const request = {
    ...buildIndexQuery(query, reader, resultTypes),
    reader,
    offset: 0,
    limit: 10,
    budgetMs: 60_000,
  };
  const { matches } = await find(db, request);
  const count = (table: string) =>
    db.transaction(async (tx) => {
      // Tables as small as these are not worth an index.
      await tx.run(sql`SET LOCAL enable_seqscan = off`);
      return countVisitedBy(tx, table, (counting) => find(counting, request));
    });
  return {
    found: matches.map(({ type }) => type).sort(),
    visited: [await count('message_words'), await count('name_words')],
  };
}

it.each(['zymurgic', '"zymurgic offer"', 'zymurgic -beer', `zymurgic from:${author.handle}`])(
  '[attack.57-2] (API1) a search for %s looks at nothing of rooms that are not its reader’s',
  async (text) => {
    const nothing = { found: [], visited: [0, 0] };
    expect(await search(null, text)).toEqual(nothing);
    expect(await search(member.id, text)).toEqual(nothing);
    const { found, visited } = await search(author.id, text);
    expect(found).toEqual(['file', 'message', 'thread']);
    expect(visited).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Math.min(...visited)).toBeGreaterThan(0);
  },
);
