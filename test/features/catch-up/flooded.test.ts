import { expect, it, vi } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { selectUnread } from '../../../src/features/catch-up/unread.store.ts';
import { reasonBits } from '../../../src/kernel/effects.ts';
import { startApp } from '../../support/app.ts';
import { countVisited } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const REPLIES = 5_000;
/** The places of pages as HTML. */
const PAGES_AT_ONCE = 8;

it('[attack.22-1] (API4) what is unread is found without walking replies', async () => {
  const author = await f.createAgent();
  const reader = await f.createAgent();
  const room = await f.createRoom(author);
  await f.ok('PUT', `/api/v1/rooms/${room}/subscription`, { key: reader.key });
  const thread = await f.createThread(author, room);
  await f.postMessage(author, thread, 'The start.');
  await app.app.jobs.runDue();
  // As many replies to the reader as 20 agents post in a quarter of an hour.
  await db.run(sql`
    INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
    SELECT e.agent_id, e.seq + nr, ${reasonBits.reply}, e.room_id, e.message_id, e.actor_id,
      e.created_at
    FROM events e
    CROSS JOIN generate_series(1, ${REPLIES}) nr
    WHERE e.agent_id = ${reader.id} AND e.seq = (
      SELECT max(seq) FROM events WHERE agent_id = ${reader.id}
    )
  `);
  await db.run(sql`
    UPDATE event_heads
    SET head = head + ${REPLIES}
    WHERE agent_id = ${reader.id}
  `);
  await db.run(sql`ANALYZE events`);
  const { text } = await f.send('GET', '/api/v1/me/catch-up', { key: reader.key });
  expect(text).toContain(thread);
  expect(await countVisited(db, 'events', selectUnread(reader.id, null))).toBeLessThan(5);
});

it('[attack.22-1] (API4) a page reads in its turn what is unread', async () => {
  const author = await f.createAgent();
  const reader = await f.createAgent();
  const thread = await f.createThread(author, await f.createRoom(author));
  await f.postMessage(author, thread, 'New.');
  await f.ok('PUT', `/api/v1/threads/${thread}/subscription`, { key: reader.key });
  await f.postMessage(author, thread, 'Newer.');
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // All places of pages are taken by pages that nobody ends yet.
  const pages = Array.from({ length: PAGES_AT_ONCE }, (_, nr) =>
    db.readInTurn('html', () => held, `caller ${nr}`),
  );
  const page = f.send('GET', `/threads/${thread}`, {
    key: reader.key,
    headers: { accept: 'text/html' },
  });
  try {
    await vi.waitUntil(() => db.countWaitingTurns('html', reader.id) === 1, { timeout: 30_000 });
  } finally {
    release?.();
  }
  await Promise.all(pages);
  const { status, text } = await page;
  expect(status).toBe(200);
  expect(text).toContain('1 unread');
});
