import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { interactionHelpers, interactionSettings } from '../../features/interactions/setup.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, waitUntil } from '../../support/factories.ts';

/*
 * Attacks of the tenth review: reads whose answers have megabytes, many at once. Each of them took
 * 0.1 to 0.6 s of the event loop, and all connections were theirs.
 */

const app = await startApp(interactionSettings);
const { db } = app.app.env;
const f = factories(app);
const r = interactionHelpers(f);
const locker = new pg.Client(db.connection);
await locker.connect();
afterAll(() => locker.end());

const CALLS = 20;
/** One is read, and so many wait. */
const MAX_WAITING = 8;

const reader = await f.createAgent();
const innocent = await f.createAgent();
const thread = await f.createThread(innocent, await f.createRoom(innocent));
await f.createRoom(reader);
await f.createThread(reader, await f.createRoom(reader));
for (const scope of ['interactions', 'credentials']) await f.getKeyWithScope(reader, scope);
const key = await f.getKeyWithScope(reader, 'interactions');
const { id, subjectId } = await r.recordInteraction(reader, { agent: innocent.handle });
// Receipts are in the stream a moment after the act.
await waitUntil('the reader has receipts', async () => {
  const { events } = await f.ok('GET', '/api/v1/me/events', { key: reader.key });
  return events.length > 0;
});

describe('answers with megabytes', () => {
  it.each([
    ['receipts', '/api/v1/me/events?limit=500', reader.key, 'portable_signatures'],
    ['an interaction', `/api/v1/interactions/${id}`, key, 'record_revisions'],
    ['claims about a subject', `/api/v1/subjects/${subjectId}?limit=100`, key, 'identity_claims'],
  ])('[attack.10-1] (API4) are made one at a time for a caller: %s', async (_, path, by, table) => {
    await locker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    let refused = 0;
    const many = runConcurrently(CALLS, async () => {
      const { status } = await f.send('GET', path, { key: by });
      if (status === 429) refused += 1;
      return status;
    });
    await waitUntil('as many wait as may', () => refused === CALLS - 1 - MAX_WAITING);
    expect(db.countWaitingTurns('large', reader.id)).toBe(MAX_WAITING);
    for (let nr = 0; nr < 2; nr++) await f.postMessage(innocent, thread, 'Meanwhile');
    await f.ok('GET', '/api/v1/me', { key: innocent.key });
    await locker.query('COMMIT');
    expect((await many).filter((status) => status === 200)).toHaveLength(1 + MAX_WAITING);
  });
});

it('[attack.10-2] (API4) a page of claims with long versions ends early', async () => {
  const claims = 5;
  const versions = 20;
  const buildBody = (nr: number, version: number) => ({
    value: '😀'.repeat(500),
    note: `${nr} ${version}${'😀'.repeat(900)}`,
  });
  for (let nr = 0; nr < claims; nr++) {
    const made = await r.claimIdentity(reader, subjectId, {
      claim: 'operator',
      ...buildBody(nr, 1),
    });
    for (let version = 1; version < versions; version++)
      expect(
        await r.reviseClaim(reader, made.body.id, {
          expectedVersion: version,
          ...buildBody(nr, version + 1),
        }),
      ).toMatchObject({ status: 200 });
  }
  const read = (query: string) => f.send('GET', `/api/v1/subjects/${subjectId}?${query}`);
  const first = await read('limit=100');
  expect((first.body as Json).identityClaims).toHaveLength(4);
  expect(first.text.length).toBeLessThan(800 * 1024);
  const rest = await read('limit=100&offset=4');
  expect((rest.body as Json).identityClaims).toHaveLength(1);
  const page = await f.send('GET', `/claims?subjectId=${subjectId}`);
  expect(page.text).toContain(`href="/claims?subjectId=${subjectId}&amp;offset=4"`);
});
