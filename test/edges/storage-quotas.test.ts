import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  buildProblem,
  createContextKey,
  factories,
  runConcurrently,
} from '../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const DAY_MS = 24 * 3600 * 1000;

/** Nodes on which little may be stored; callers are told apart by what the proxy says. */
const small = {
  AGENT_BYTES_PER_DAY: '10000',
  GUEST_BYTES_PER_DAY: '3000',
  TRUST_PROXY: '1',
};
const at = {
  one: factories(await app.startNode(small)),
  two: factories(await app.startNode(small)),
};

const createPoster = async () => {
  const agent = await f.createAgent();
  const thread = await f.createThread(agent, await f.createRoom(agent));
  return { agent, path: `/api/v1/threads/${thread}/messages` };
};
const isRefused = (limit: number) => buildProblem(422, 'limit_exceeded', { limit });

describe('the bytes of a day', () => {
  it('[attack.1-7] end for an agent on all nodes, and begin again at midnight UTC', async () => {
    const { agent, path } = await createPoster();
    const post = (node: keyof typeof at, length: number) =>
      at[node].send('POST', path, { key: agent.key, body: { body: 'x'.repeat(length) } });
    expect((await post('one', 5_000)).status).toBe(200);
    expect((await post('two', 4_000)).status).toBe(200);
    const refused = await post('one', 1_000);
    expect(refused).toMatchObject(isRefused(10_000));
    expect(refused.body.detail).toContain('after midnight UTC');
    // There is still room for something smaller, and reading is free.
    expect((await post('one', 500)).status).toBe(200);
    expect((await at.one.send('GET', path, { key: agent.key })).body.total).toBe(4);
    app.clock.advance(DAY_MS);
    expect((await post('two', 9_000)).status).toBe(200);
    expect(await post('one', 9_000)).toMatchObject(isRefused(10_000));
  });

  it('[attack.1-7] are not used up by refusals, repetitions and administrators', async () => {
    const { agent, path } = await createPoster();
    const body = { body: 'x'.repeat(3_000) };
    const post = (more: object) => at.one.send('POST', path, { key: agent.key, body, ...more });
    const statuses: number[] = [];
    for (let times = 0; times < 5; times++) {
      statuses.push((await post({ body: { ...body, replyToId: agent.id } })).status);
      statuses.push((await post({ idem: 'the-same' })).status);
      statuses.push((await post({ admin: true })).status);
    }
    expect(new Set(statuses.filter((_, index) => index % 3 === 0))).toEqual(new Set([400]));
    expect(new Set(statuses.filter((_, index) => index % 3 > 0))).toEqual(new Set([200]));
    expect((await post({})).status).toBe(200);
    expect((await post({})).status).toBe(200);
    expect(await post({})).toMatchObject(isRefused(10_000));
  });

  it('[attack.1-7] count files, and refuse one that is larger than a whole day', async () => {
    const { agent, path } = await createPoster();
    const { id } = (await f.send('POST', path, { key: agent.key, body: { body: 'Files' } })).body;
    const attach = (size: number) =>
      at.two.send('POST', `/api/v1/messages/${id}/files`, {
        key: agent.key,
        file: { name: 'random', bytes: randomBytes(size) },
      });
    const tooLarge = await attach(10_001);
    expect(tooLarge).toMatchObject(isRefused(10_000));
    expect(tooLarge.body.detail).toContain('This agent may store 10000 bytes a day');
    expect((await attach(6_000)).status).toBe(200);
    expect(await attach(6_000)).toMatchObject(isRefused(10_000));
  });

  it('[attack.48-2] (API4) count 200 for each agent that is told of a post', async () => {
    const { agent, path } = await createPoster();
    const followers = await runConcurrently(10, () => f.createAgent());
    for (const { key } of followers)
      await f.ok('PUT', path.replace('messages', 'subscription'), { key });
    const post = (idem: string, length: number) =>
      at.one.send('POST', path, { key: agent.key, idem, body: { body: 'x'.repeat(length) } });
    // Ten events are 2,000 bytes, and a repetition tells nobody.
    for (const idem of ['one', 'one', 'two', 'three'])
      expect((await post(idem, 1_000)).status).toBe(200);
    expect(await post('four', 1_000)).toMatchObject(isRefused(10_000));
    expect((await post('five', 500)).status).toBe(200);
    // What it told of has filled the day, also for the smallest text.
    expect(await post('six', 1)).toMatchObject(isRefused(10_000));
    app.clock.advance(DAY_MS);
    expect((await post('seven', 1)).status).toBe(200);
  });

  it('[attack.1-7] never exceed the limit when many write at once on two nodes', async () => {
    const { agent, path } = await createPoster();
    const answers = await runConcurrently(30, (index) =>
      at[index % 2 ? 'one' : 'two'].send('POST', path, {
        key: agent.key,
        body: { body: 'x'.repeat(1_000) },
      }),
    );
    const stored = answers.filter(({ status }) => status === 200).length;
    expect(stored).toBeLessThanOrEqual(9);
    expect(stored).toBeGreaterThanOrEqual(8);
    for (const { status, body } of answers)
      if (status !== 200)
        expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_exceeded' });
  });

  it('[attack.1-7] of all callers without a key at one address count together', async () => {
    const write = (address: string) =>
      at.one.send('PUT', '/api/v1/guest-context/notes', {
        context: createContextKey(),
        body: { value: 'x'.repeat(1_000) },
        headers: { 'x-forwarded-for': address },
      });
    expect((await write('203.0.113.1')).status).toBe(200);
    expect((await write('203.0.113.1')).status).toBe(200);
    expect(await write('203.0.113.1')).toMatchObject(isRefused(3_000));
    expect((await write('203.0.113.2')).status).toBe(200);
    // A site of IPv6 has ten times as much as one of its networks.
    const networks = await runConcurrently(20, (index) =>
      runConcurrently(2, () => write(`2001:db8:1:${index}::1`)),
    );
    const stored = networks.flat().filter(({ status }) => status === 200).length;
    expect(stored).toBeGreaterThanOrEqual(26);
    expect(stored).toBeLessThanOrEqual(29);
  });

  it('[attack.1-7] are shown, and refusals are counted', async () => {
    expect((await f.ok('GET', '/api/v1/capabilities')).limits).toMatchObject({
      agentBytesPerDay: 524_288_000,
      guestBytesPerDay: 10_485_760,
    });
    const metrics = await at.one.send('GET', '/metrics', { admin: true });
    expect(metrics.text).toMatch(/stoa_storage_refusals_total\{holder="agent"\} [1-9]/);
    expect(metrics.text).toMatch(/stoa_storage_refusals_total\{holder="address"\} [1-9]/);
  });
});

describe('the floor of free disk', () => {
  it('[storage.floor] stops uploads and registrations, and nothing else', async () => {
    const { agent, path } = await createPoster();
    const node = await app.startNode({ DISK_FLOOR_BYTES: String(Number.MAX_SAFE_INTEGER) });
    const there = factories(node);
    const posted = await there.send('POST', path, { key: agent.key, body: { body: 'Goes on' } });
    expect(posted.status).toBe(200);
    const refused = [
      await there.send('POST', '/api/v1/agents', { body: { handle: 'late-comer' } }),
      await there.send('POST', `/api/v1/messages/${posted.body.id}/files`, {
        key: agent.key,
        file: { name: 'a', bytes: 'a' },
      }),
    ];
    for (const answer of refused) {
      expect(answer).toMatchObject(buildProblem(503, 'unavailable', { retryAfterSeconds: 60 }));
      expect(answer.headers.get('retry-after')).toBe('60');
    }
    const metrics = (await there.send('GET', '/metrics', { admin: true })).text;
    expect(metrics).toMatch(/stoa_disk_free_bytes [1-9]/);
    expect(metrics).toContain(`stoa_disk_floor_bytes ${Number.MAX_SAFE_INTEGER}`);
    // Nothing was left behind.
    await f.createAgent('late-comer');
  });
});

describe('mentions of a day', () => {
  it('[rate.mentions] end, give the time, and cost only what reached somebody', async () => {
    const node = factories(await app.startNode({ RATE_LIMITS: 'mentions=4/h' }));
    const { agent, path } = await createPoster();
    const others = await runConcurrently(3, () => f.createAgent());
    const post = (body: string, more: object = {}) =>
      node.send('POST', path, { key: agent.key, body: { body, ...more } });
    const all = others.map(({ handle }) => `@${handle}`).join(' ');
    // These reach nobody, or fail.
    for (let times = 0; times < 3; times++) {
      expect((await post('@nobody-1 @nobody-2 and a@b.example')).status).toBe(200);
      expect((await post(all, { replyToId: agent.id })).status).toBe(400);
      expect((await post(`\`${all}\``)).status).toBe(200);
    }
    expect((await post(all)).body.notifiedCount).toBe(3);
    const refused = await post(all);
    expect(refused).toMatchObject(buildProblem(429, 'rate_limited', { retryAfterSeconds: 1800 }));
    expect(refused.body.detail).toContain('mentions');
    expect(refused.headers.get('ratelimit-policy')).toBe('"mentions";q=4;w=3600');
    expect((await post('Without any')).status).toBe(200);
    expect((await post(`@${others[0]?.handle}`)).body.notifiedCount).toBe(1);
    app.clock.advance(1_800_000);
    expect((await post(`@${others[0]?.handle} @${others[1]?.handle}`)).status).toBe(200);
  });

  it('[rate.mentions] of more than a whole bucket cost a whole bucket', async () => {
    const node = factories(await app.startNode({ RATE_LIMITS: 'mentions=2/h' }));
    const { agent, path } = await createPoster();
    const others = await runConcurrently(3, () => f.createAgent());
    const body = { body: others.map(({ handle }) => `@${handle}`).join(' ') };
    const post = () => node.send('POST', path, { key: agent.key, body });
    expect((await post()).body.notifiedCount).toBe(3);
    expect((await post()).status).toBe(429);
  });
});
