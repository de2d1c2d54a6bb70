import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories, type TestAgent, waitUntil } from '../support/factories.ts';

/* Pages that answer forms repeat what was sent, and each quote becomes six bytes. */

const KIB = 1024;
const READS = 500;
const app = await startApp({ RATE_LIMITS: `reads=${READS}/d` });
const f = factories(app);
const author = await f.createAgent();
const room = await f.createRoom(author, 'public');
const thread = await f.createThread(author, room);
const replyPath = `/threads/${thread}/reply`;
const FORM = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };

const sendForm = (path: string, fields: string, key?: string) =>
  f.send('POST', path, { key, headers: FORM, raw: fields });

const countLeft = (headers: Headers): number =>
  Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

/** Tells how many reads an agent has left, and pays one for it. */
const countReadsLeft = async ({ key }: TestAgent): Promise<number> =>
  countLeft((await f.send('GET', '/api/v1/me', { key })).headers);

/** Sends a form eight times, one behind the other, and reads no answer. */
function sendWithoutReading(url: string, key: string, fields: string): Socket {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  const head =
    `POST ${replyPath} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n` +
    `Accept: text/html\r\nContent-Type: ${FORM['content-type']}\r\n` +
    `Content-Length: ${fields.length}\r\n\r\n`;
  socket.write((head + fields).repeat(8));
  return socket;
}

describe('a form that is refused', () => {
  it('[attack.13-2] (API4) is read no further than its text may be long', async () => {
    const { key } = await f.createAgent();
    const quotes = (count: number) => `once=x&step=post&body=${'"'.repeat(count)}`;
    const most = await sendForm(replyPath, quotes(200 * KIB), key);
    expect(most.status).toBe(400);
    expect(most.text).toContain('&quot;'.repeat(200 * KIB));
    const more = await sendForm(replyPath, quotes(220 * KIB), key);
    expect(more.status).toBe(413);
    expect(more.text.length).toBeLessThan(64 * KIB);
  });

  it('[attack.13-4] (API4) costs as much as a read of the page that it gets', async () => {
    const agent = await f.createAgent();
    const left = await countReadsLeft(agent);
    const { text } = await sendForm(replyPath, `once=x&body=${'"'.repeat(60 * KIB)}`, agent.key);
    const paid = left - (await countReadsLeft(agent)) - 1;
    expect(paid).toBe(Math.ceil(text.length / (64 * KIB)) - 1);
    expect(paid).toBeGreaterThan(4);
  });

  it('[attack.13-4] (API4) costs its address as much without a key', async () => {
    const ask = async () => countLeft((await f.send('GET', '/api/v1/rooms?limit=1')).headers);
    const left = await ask();
    const { status, text } = await sendForm(replyPath, `once=x&body=${'"'.repeat(60 * KIB)}`);
    expect(status).toBe(401);
    expect(left - (await ask()) - 1).toBeGreaterThanOrEqual(Math.ceil(text.length / (64 * KIB)));
  });

  it('[attack.13-3] (API4) counts as under way until its caller has read it', async () => {
    const most = 2048 * KIB;
    const node = await app.startNode({ LOAD_LIMITS: `responseBytes.agent=${most}` });
    const { load } = node.app.env;
    const { key } = await f.createAgent();
    const raw = `once=x&body=${'"'.repeat(190 * KIB)}`;
    const sockets: Socket[] = [];
    const ask = () => factories(node).send('POST', replyPath, { key, headers: FORM, raw });
    // Whoever holds more than it may gets the page without its text. The system takes some
    // megabytes of each connection off the process.
    for (let tries = 0; tries < 30; tries++) {
      sockets.push(sendWithoutReading(node.url, key, raw));
      await sleep(100);
      const { status, text } = await ask();
      expect(status).toBe(400);
      expect(load.measure('responseBytes')).toBeLessThanOrEqual(most);
      if (!text.includes('&quot;&quot;')) break;
    }
    expect((await ask()).text).not.toContain('&quot;&quot;');
    for (const socket of sockets) socket.destroy();
    await waitUntil('all is given back', () => load.measure('responseBytes') === 0);
    expect((await ask()).text).toContain('&quot;&quot;');
  });
});

describe('the consent page', () => {
  const createClient = async (): Promise<string> => {
    const { body } = await f.send('POST', '/oauth/register', {
      body: { client_name: 'x', redirect_uris: ['https://a.example/cb'] },
    });
    return body.client_id;
  };

  it('[attack.13-1] (API4) repeats no parameter of more than 2,000 characters', async () => {
    const request = new URLSearchParams({
      client_id: await createClient(),
      redirect_uri: 'https://a.example/cb',
      response_type: 'code',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const ask = (state: string) =>
      sendForm('/oauth/authorize', `${request}&decision=x&state=${state}`);
    expect((await ask('"'.repeat(2_000))).text).toContain('&quot;'.repeat(2_000));
    const long = await ask('"'.repeat(2_001));
    expect(long.status).toBe(400);
    expect(long.text).toContain('a state of at most 2000 characters');
    expect(long.text).not.toContain('&quot;&quot;');
    const shown = await f.send('GET', `/oauth/authorize?${request}&state=${'x'.repeat(2_001)}`);
    expect(shown.status).toBe(400);
    expect(shown.text).not.toContain('xxx');
    expect((await ask('"'.repeat(16 * KIB))).status).toBe(413);
  });
});
