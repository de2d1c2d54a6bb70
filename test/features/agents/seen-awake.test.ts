import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { connect } from '../../edges/mcp/mcp-client.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';
import {
  accept,
  answerWith,
  buildDialSetting,
  buildWebhookSettings,
  exampleWebhook,
  onlyForHints,
  startReceiver,
} from '../webhooks/receiver.ts';
import { webhookHelpers } from '../webhooks/setup.ts';

const receiver = await startReceiver();
const app = await startApp(buildWebhookSettings(buildDialSetting(receiver.port)));
const { db } = app.app.env;
const f = factories(app);
const { put, verify, setUp, advanceAndRun } = webhookHelpers(app);
const HOUR = 3600 * 1000;
const REACHABLE = 'its receiver answered what was last sent to it';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats the hour of now as pages do. */
function formatHour(): string {
  const now = new Date(app.clock()).toISOString();
  const day = `${Number(now.slice(8, 10))} ${months[Number(now.slice(5, 7)) - 1]}`;
  return `in the hour from ${day} ${now.slice(0, 4)}, ${now.slice(11, 13)}:00 UTC`;
}

/** Reads the facts of an agent's page, as plain text by their names. */
async function readFacts({ handle }: TestAgent): Promise<Record<string, string>> {
  await app.app.jobs.runDue();
  const page = await (await fetch(`${app.url}/agents/${handle}`)).text();
  return Object.fromEntries(
    [...page.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/<[^>]*>/g, '').trim(),
    ]),
  );
}

const readLastRead = async (agent: TestAgent) => (await readFacts(agent))['Last read its events'];
const readReachable = async (agent: TestAgent) => (await readFacts(agent)).Reachable;

async function readStream({ key }: TestAgent): Promise<void> {
  const stream = await openStream(app.url, key);
  await stream.next();
  stream.disconnect();
}

describe('showAgent', () => {
  it('[agent.seen-reading] shows no read before there was one', async () => {
    const ada = await f.createAgent();
    await f.ok('GET', '/api/v1/me', { key: ada.key });
    await f.ok('GET', '/api/v1/me/catch-up', { key: ada.key });
    expect(await readLastRead(ada)).toBe('never, as far as this service has seen');
  });

  it.each<[string, (agent: TestAgent) => Promise<unknown>]>([
    ['a poll', (agent) => f.listEvents(agent)],
    ['a stream', readStream],
    [
      'a tool',
      async ({ key }) => (await connect(app.url, { 'x-api-key': key })).expectOk('get_events'),
    ],
  ])('[agent.seen-reading] shows the hour of %s', async (_, read) => {
    const ada = await f.createAgent();
    await read(ada);
    const hour = formatHour();
    expect(await readLastRead(ada)).toBe(hour);
    app.clock.advance(HOUR);
    await f.ok('GET', '/api/v1/me', { key: ada.key });
    expect(await readLastRead(ada)).toBe(hour);
    await read(ada);
    expect(await readLastRead(ada)).toBe(formatHour());
    expect(formatHour()).not.toBe(hour);
  });

  it('[agent.seen-reading] does not count a read that is refused', async () => {
    const ada = await f.createAgent();
    const ahead = await f.send('GET', '/api/v1/events?cursor=99', { key: ada.key });
    expect(ahead.status).toBe(400);
    expect(await readLastRead(ada)).toBe('never, as far as this service has seen');
  });

  it('[agent.seen-reading] shows nothing of a blocked agent', async () => {
    const ada = await f.createAgent();
    await f.listEvents(ada);
    expect(await readLastRead(ada)).toBe(formatHour());
    await f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect(await readFacts(ada)).not.toHaveProperty('Last read its events');
  });

  it('[agent.seen-once-an-hour] writes once an hour, also from two nodes', async () => {
    const ada = await f.createAgent();
    const other = await app.startNode();
    const read = async () => {
      await f.listEvents(ada);
      await factories(other).listEvents(ada);
      for (const node of [app, other]) await node.app.jobs.runDue();
      const [row] = await db.rows<Json>(sql`
        SELECT xmin::text AS version, read_at
        FROM stream_reads
        WHERE agent_id = ${ada.id}
      `);
      return row;
    };
    const first = await read();
    app.clock.advance(60_000);
    expect(await read()).toEqual(first);
    app.clock.advance(HOUR);
    expect((await read()).read_at).not.toEqual(first.read_at);
  });

  it('[agent.seen-reachable] [attack.57-3] shows one that answered the last request', async () => {
    const { ada, post } = await setUp();
    expect(await readReachable(ada)).toBe(REACHABLE);
    receiver.setBehaviour(accept);
    await post();
    await advanceAndRun(5);
    // The page does not show that a hint was sent.
    expect(await readReachable(ada)).toBe(REACHABLE);
    app.clock.advance(HOUR);
    await post();
    receiver.setBehaviour(onlyForHints(answerWith(503)));
    await advanceAndRun(5);
    expect(await readReachable(ada)).toBeUndefined();
    receiver.setBehaviour(accept);
    await advanceAndRun(60);
    expect(await readReachable(ada)).toBe(REACHABLE);
    await f.ok('POST', '/api/v1/me/keys/rotate', { key: ada.key });
    expect(await readReachable(ada)).toBeUndefined();
  });

  it('[agent.seen-reachable] shows none that is only configured, or was replaced', async () => {
    const ada = await f.createAgent();
    expect(await readReachable(ada)).toBeUndefined();
    await put(ada);
    expect(await readReachable(ada)).toBeUndefined();
    await verify(ada);
    expect(await readReachable(ada)).toBe(REACHABLE);
    await put(ada, { ...exampleWebhook, url: `${exampleWebhook.url}/new` });
    expect(await readReachable(ada)).toBeUndefined();
  });
});
