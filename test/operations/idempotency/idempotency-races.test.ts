import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import {
  type Answer,
  buildProblem,
  factories,
  type Json,
  type RequestOptions,
  runConcurrently,
  waitUntil,
} from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const nodes = [f, factories(await app.startNode())];
/** A connection of the test's own, which the service knows nothing of. */
const ownClient = new pg.Client({ ...db.connection, application_name: 'test' });
await ownClient.connect();
afterAll(() => ownClient.end());

const getReplayedHeader = (answer: Answer) => answer.headers.get('idempotency-replayed');

/** The one answer that had an effect; all others must be it again, or say that it is under way. */
function getOnlyAnswer(answers: readonly Answer<Json>[]): Answer<Json> {
  const [first, ...more] = answers.filter(
    (answer) => answer.status === 200 && getReplayedHeader(answer) === null,
  );
  expect(more).toEqual([]);
  if (!first) throw new Error(`Nobody won: ${answers.map(({ text }) => text).join('\n')}`);
  for (const answer of answers.filter((other) => other !== first)) {
    if (answer.status === 200)
      expect({ text: answer.text, replayed: getReplayedHeader(answer) }).toEqual({
        text: first.text,
        replayed: 'true',
      });
    else {
      expect(answer).toMatchObject(buildProblem(409, 'idempotency_in_progress'));
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  }
  return first;
}

describe('twenty simultaneous requests with one key, to two nodes', () => {
  const race = (method: string, path: string, options: RequestOptions) => {
    const idem = newId();
    return runConcurrently(20, (n) => (nodes[n % 2] ?? f).send(method, path, { ...options, idem }));
  };
  const listRooms = (agentId: string) =>
    db.rows(sql`SELECT id FROM rooms WHERE owner_id = ${agentId}`);
  const listKeys = (agentId: string) =>
    db.rows(sql`
      SELECT id
      FROM api_keys
      WHERE agent_id = ${agentId}
      ORDER BY id
    `);

  it('[idem.race] open one room', async () => {
    const { id, key } = await f.createAgent();
    const made = getOnlyAnswer(await race('POST', '/api/v1/rooms', { key, body: { name: 'One' } }));
    expect(await listRooms(id)).toEqual([{ id: made.body.id }]);
  });

  it('[idem.race] post one message with one event for each addressee', async () => {
    const owner = await f.createAgent();
    const guest = await f.createAgent();
    const roomId = await f.createRoom(owner);
    await f.joinRoom(guest, roomId);
    const threadId = await f.createThread(owner, roomId);
    const { id } = getOnlyAnswer(
      await race('POST', `/api/v1/threads/${threadId}/messages`, {
        key: guest.key,
        body: { body: `Hello @${owner.handle}` },
      }),
    ).body;
    const page = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
    expect(page.messages.slice(1).map((message: Json) => message.id)).toEqual([id]);
    expect(
      await db.rows(sql`
        SELECT seq
        FROM events
        WHERE agent_id = ${owner.id} AND message_id = ${id}
      `),
    ).toHaveLength(1);
    expect(await db.rows(sql`SELECT 1 FROM portable_events WHERE subject_id = ${id}`)).toHaveLength(
      1,
    );
  });

  it('[idem.race] make one key, and rotate once', async () => {
    const { id, key } = await f.createAgent();
    const made = getOnlyAnswer(
      await race('POST', '/api/v1/me/keys', { key, body: { scopes: ['forum'] } }),
    );
    expect((await f.send('GET', '/api/v1/me', { key: made.body.apiKey })).status).toBe(200);
    expect(await listKeys(id)).toHaveLength(2);
    const rotated = getOnlyAnswer(await race('POST', '/api/v1/me/keys/rotate', { key }));
    expect((await f.send('GET', '/api/v1/me', { key: rotated.body.apiKey })).status).toBe(200);
    expect(await listKeys(id)).toHaveLength(3);
  });

  it('[idem.race] [idem.registration] register one agent', async () => {
    const { body } = getOnlyAnswer(
      await race('POST', '/api/v1/agents', { body: { handle: 'raced' } }),
    );
    expect((await f.send('GET', '/api/v1/me', { key: body.apiKey })).body).toMatchObject({
      id: body.agent.id,
      handle: 'raced',
    });
    expect(await listKeys(body.agent.id)).toEqual([{ id: body.keyId }]);
  });

  it('[idem.race] decide once as an administrator', async () => {
    const { id } = await f.createAgent();
    getOnlyAnswer(
      await race('PUT', `/api/v1/admin/agents/${id}/capabilities/credentials`, {
        admin: true,
        body: { state: 'active' },
      }),
    );
    expect(await db.rows(sql`SELECT 1 FROM audit_log WHERE target_id = ${id}`)).toHaveLength(1);
  });

  it('[idem.race] [idem.reused] with different bodies have one effect, no more', async () => {
    const { id, key } = await f.createAgent();
    const idem = newId();
    const answers = await runConcurrently(20, (n) =>
      (nodes[n % 2] ?? f).send('POST', '/api/v1/rooms', { key, idem, body: { name: `Room ${n}` } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(buildProblem(422, 'idempotency_key_reused'));
    expect(await listRooms(id)).toHaveLength(1);
  });
});

describe('a crash', () => {
  /** The database seen without the service's connections, which may be broken. */
  const ownConnection: Pick<Queryable, 'rows'> = {
    rows: async ({ text, values }) => (await ownClient.query(text, values)).rows,
  };

  /** Repeats as a client does while the service cannot reach its store. */
  async function sendUntilAnswered(send: () => Promise<Answer<Json>>): Promise<Answer<Json>> {
    for (let tries = 1; ; tries++) {
      const answer = await send();
      if (answer.status !== 503 || tries === 100) return answer;
    }
  }

  /** Backends of the service, here those that satisfy a condition. */
  const kill = async (condition: string) =>
    (
      await ownClient.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ' +
          `current_database() AND application_name = 'stoa' AND ${condition}`,
      )
    ).rowCount ?? 0;

  it('[idem.same-transaction] between effect and record leaves neither', async () => {
    const { id, key } = await f.createAgent();
    const create = () =>
      f.send('POST', '/api/v1/rooms', { key, idem: 'crash', body: { name: 'Never' } });
    const before = await listStoredRows(ownConnection);
    // Somebody else holds the place of the record: the request has done its effect and waits there.
    await ownClient.query('BEGIN');
    await ownClient.query(
      `INSERT INTO idempotency_records VALUES ($1, 'createRoom', 'crash', '', NULL, '', now())`,
      [`agent:${id}`],
    );
    try {
      const answer = create();
      await waitUntil(
        'the request waits for its record',
        async () => (await kill(`wait_event_type = 'Lock'`)) > 0,
      );
      expect(await answer).toMatchObject(buildProblem(503, 'unavailable'));
    } finally {
      await ownClient.query('ROLLBACK');
    }
    expect(await listStoredRows(ownConnection)).toEqual(before);
    const again = await sendUntilAnswered(create);
    expect({ status: again.status, replayed: getReplayedHeader(again) }).toEqual({
      status: 200,
      replayed: null,
    });
  });

  it('[idem.same-transaction] at any moment leaves both or neither, to be repeated', async () => {
    const registration = newId();
    const { agent, apiKey: key } = (
      await sendUntilAnswered(() =>
        f.send('POST', '/api/v1/agents', { idem: registration, body: { handle: 'crashed' } }),
      )
    ).body;
    const { id } = agent;
    const create = (idem: string, node = f) =>
      node.send('POST', '/api/v1/rooms', { key, idem, body: { name: idem } });
    const sent = new Map<string, Answer<Json>>();
    const both = async () => {
      const rooms = await ownConnection.rows<{ id: string }>(sql`
        SELECT id
        FROM rooms
        WHERE owner_id = ${id}
        ORDER BY id
      `);
      const records = await ownConnection.rows<{
        id: string;
        key: string;
      }>(sql`
        SELECT convert_from(response, 'UTF8')::json ->> 'id' AS id, key
        FROM idempotency_records
        WHERE scope = ${`agent:${id}`} AND operation = 'createRoom'
        ORDER BY 1
      `);
      expect(records.map((record) => record.id)).toEqual(rooms.map((room) => room.id));
      return records;
    };
    const countLost = () => [...sent.values()].filter(({ status }) => status !== 200).length;
    await waitUntil('crashes hit at least ten requests', async () => {
      const wave = runConcurrently(20, async (n) => {
        const idem = newId();
        sent.set(idem, await create(idem, nodes[n % 2]));
      });
      let busy = true;
      void wave.finally(() => (busy = false)).catch(() => {});
      while (busy) await kill(`state <> 'idle' AND random() < 0.3`);
      await wave;
      return countLost() >= 10;
    });
    for (const answer of sent.values())
      if (answer.status !== 200) expect(answer).toMatchObject(buildProblem(503, 'unavailable'));
    const records = await both();
    for (const [idem, { status, body }] of sent)
      if (status === 200) expect(records).toContainEqual({ id: body.id, key: idem });

    for (const [idem, first] of sent) {
      const again = await sendUntilAnswered(() => create(idem));
      expect(again.status).toBe(200);
      if (first.status === 200) expect(again.text).toBe(first.text);
    }
    expect((await both()).map((record) => record.key).sort()).toEqual([...sent.keys()].sort());
  });
});
