import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories, waitUntil } from '../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);

const HEAD = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
/** What was sent of the form when the connection broke, and a header of its own. */
const beginnings: Readonly<Record<string, readonly [body: string, header?: string]>> = {
  'nothing of the form': [''],
  'an expectation': ['', 'Expect: 100-continue'],
  'half a header': [HEAD.slice(0, 40)],
  'a part of the file': [`${HEAD}${'z'.repeat(70_000)}`],
};

async function countUploads(): Promise<number> {
  const { text } = await f.send('GET', '/metrics', { admin: true });
  return Number(/^stoa_under_way\{kind="uploads"\} (\d+)/m.exec(text)?.[1]);
}

it.each(Object.entries(beginnings))(
  '[attack.24-1] (API4) an upload ends whose connection breaks after %s',
  async (_, [body, header]) => {
    const agent = await f.createAgent();
    const thread = await f.createThread(agent, await f.createRoom(agent));
    const { id } = await f.postMessage(agent, thread, 'Files');
    const { hostname, port, host } = new URL(app.url);
    const client = new pg.Client(app.app.env.db.connection);
    await client.connect();
    try {
      await client.query('BEGIN');
      // The right to upload is looked up meanwhile.
      await client.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      const lines = [
        `POST /api/v1/messages/${id}/files HTTP/1.1`,
        `Host: ${host}`,
        `X-API-Key: ${agent.key}`,
        `Idempotency-Key: ${randomUUID()}`,
        'Content-Type: multipart/form-data; boundary=B',
        'Content-Length: 90000',
        ...(header === undefined ? [] : [header]),
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
      await waitUntil('the upload is looked up', async () => {
        const { rows } = await client.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'messages'::regclass`,
        );
        return rows.length > 0;
      });
      socket.resetAndDestroy();
      await once(socket, 'close');
      // The service hears of it before the database answers.
      await sleep(200);
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
    await waitUntil('no upload is under way', async () => (await countUploads()) === 0);
    expect((await f.send('GET', '/api/v1/me', { key: agent.key })).status).toBe(200);
  },
);
