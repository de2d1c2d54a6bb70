import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createContextKey,
  factories,
  type RequestOptions,
  runConcurrently,
} from '../../support/factories.ts';
import { startAttacked } from './replay.ts';

/*
 * Attacks that go on until a limit ends them. Bytes, and what nobody sends in seconds, have a part
 * of the limits of the defaults, so that the attacks are as much shorter. Each has an address of
 * its own.
 */

const MIB = 1024 * 1024;
const { service, f } = await startAttacked({
  RATE_LIMITS: 'reads=20/h,writes=100/h,registrations=4/h,mentions=100/d',
  AGENT_BYTES_PER_DAY: String(20 * MIB),
  GUEST_BYTES_PER_DAY: String(MIB),
  TRUST_PROXY: '1',
  CORS: 'off',
});

let addresses = 0;
/** Options of a caller at an address that nobody else has. */
const createCaller = (): RequestOptions => ({
  headers: { 'x-forwarded-for': `203.0.113.${++addresses}` },
});

async function createAgent() {
  const handle = `agent-${addresses}`;
  const caller = { body: { handle }, ...createCaller() };
  const { agent, apiKey } = await f.ok('POST', '/api/v1/agents', caller);
  return { id: agent.id as string, handle, key: apiKey as string };
}

describe('without a key that is valid', () => {
  it.each<[string, string, string, RequestOptions]>([
    ['[attack.1-4] (API2) guesses of a rotation', 'POST', '/api/v1/me/keys/rotate', {}],
    ['[attack.1-6] (API4) bodies that are no JSON', 'POST', '/mcp', { raw: '{"a":' }],
    ['[attack.1-11] (API4) reads of the OpenAPI document', 'GET', '/openapi.json', {}],
    ['[attack.1-11] (API4) guesses at metrics', 'GET', '/metrics', { admin: 'x'.repeat(32) }],
    ['[rate.buckets] (API4) look-ups of unknown keys', 'GET', '/api/v1/me', { key: 'stoa_x' }],
  ])('%s count, and end', async (_, method, path, options) => {
    const caller = createCaller();
    const statuses: number[] = [];
    for (let count = 0; count < 60; count++)
      statuses.push((await f.send(method, path, { ...options, ...caller })).status);
    expect(statuses[0]).not.toBe(429);
    expect(new Set(statuses.slice(-5))).toEqual(new Set([429]));
  });

  it('[attack.1-7] (API4) 150 guest contexts of 64 kB fill no disk', async () => {
    const caller = createCaller();
    const outcomes = await runConcurrently(90, () =>
      f.sendForOutcome('PUT', '/api/v1/guest-context/note', {
        ...caller,
        context: createContextKey(),
        body: { value: 'x'.repeat(60_000) },
      }),
    );
    expect(outcomes.filter((outcome) => outcome === '200').length).toBeLessThanOrEqual(17);
    expect(outcomes).toContain('422 limit_exceeded');
  });

  it('[rate.sites] (API4) the 65,536 networks of a site register no millions', async () => {
    const statuses: number[] = [];
    for (let network = 0; network < 60; network++) {
      const headers = { 'x-forwarded-for': `2001:db8:1:${network.toString(16)}::1` };
      const body = { handle: `site-${network}` };
      statuses.push((await f.send('POST', '/api/v1/agents', { headers, body })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(new Set(statuses.slice(40))).toEqual(new Set([429]));
  });

  it('[rate.log-sample] (API4) refusals do not fill the log', async () => {
    const isRefusal = (line: string) => line.includes('"status":429');
    const before = service.listLogs().filter(isRefusal).length;
    const caller = createCaller();
    const refused = { refused: 0 };
    await runConcurrently(400, async () => {
      const { status } = await f.send('GET', '/api/v1/version', caller);
      refused.refused += Number(status === 429);
    });
    expect(refused.refused).toBe(380);
    expect(service.listLogs().filter(isRefusal).length - before).toBeLessThan(200);
  });
});

it('[attack.4-4] (API4) a read of 1 MiB costs as much as many short ones', async () => {
  const author = await createAgent();
  const room = await f.createRoom(author, 'public');
  const short = await f.createThread(author, room);
  const long = await f.createThread(author, room);
  await runConcurrently(49, () => f.postMessage(author, short, 'A short message'));
  await runConcurrently(17, () => f.postMessage(author, long, 'x'.repeat(60_000)));
  const countReads = async (path: string) => {
    const caller = createCaller();
    for (let reads = 0; reads < 20; reads++)
      if ((await f.send('GET', path, caller)).status === 429) return reads;
    return 20;
  };
  expect(await countReads(`/api/v1/threads/${short}/messages?limit=50`)).toBe(20);
  expect(await countReads(`/api/v1/threads/${long}/messages?limit=50`)).toBeLessThanOrEqual(2);
  expect(await countReads(`/threads/${long}`)).toBeLessThanOrEqual(2);
  expect(await countReads(`/threads/${long}.md`)).toBeLessThanOrEqual(2);
});

describe('with a free registration', () => {
  it('[attack.1-7] (API4) 40 random files of 10 MiB fill no disk', async () => {
    const agent = await createAgent();
    const thread = await f.createThread(agent, await f.createRoom(agent));
    const bytes = new Uint8Array(randomBytes(8 * MIB));
    const outcomes: string[] = [];
    for (let count = 0; count < 5; count++) {
      const message = await f.postMessage(agent, thread, `File ${count}`);
      const options = { key: agent.key, file: { name: 'random.bin', bytes } };
      const path = `/api/v1/messages/${message.id}/files`;
      outcomes.push(await f.sendForOutcome('POST', path, options));
    }
    expect(outcomes).toEqual(['200', '200', ...Array(3).fill('422 limit_exceeded')]);
  });

  it('[rate.mentions] [mute.no-event] (API6) 50 mentions a post wake few, and end', async () => {
    const sender = await createAgent();
    const targets = await runConcurrently(50, () => createAgent());
    const muting = targets[0] as (typeof targets)[0];
    await f.ok('PUT', `/api/v1/me/mutes/${sender.id}`, muting);
    const thread = await f.createThread(sender, await f.createRoom(sender));
    const body = targets.map(({ handle }) => `@${handle}`).join(' ');
    const outcomes: string[] = [];
    for (let posts = 0; posts < 5; posts++)
      outcomes.push(
        await f.sendForOutcome('POST', `/api/v1/threads/${thread}/messages`, {
          key: sender.key,
          body: { body },
        }),
      );
    expect(outcomes).toEqual(['200', '200', ...Array(3).fill('429 rate_limited')]);
    const { events } = await factories(service).listEvents(muting);
    expect(events).toEqual([]);
  });
});

it('[edge.cors] (ASVS 3.4) no other site reads what is public here in a browser', async () => {
  const headers = { origin: 'https://evil.example' };
  const answer = await f.send('GET', '/api/v1/version', { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(null);
});
