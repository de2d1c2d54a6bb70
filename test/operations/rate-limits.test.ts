import { describe, expect, it } from 'vitest';
import { addCrowd } from '../features/events/crowd.ts';
import { buildInteraction } from '../features/interactions/setup.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import {
  buildProblem,
  createContextKey,
  factories,
  type RequestOptions,
  runConcurrently,
  waitUntil,
} from '../support/factories.ts';
import { makeValidCall } from './cases.ts';
import { buildCredential, callOperation, createFixture, registry } from './fixture.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
/**
 * The same installation with the limits of its defaults, and with tight ones; callers are told
 * apart by what the proxy says.
 */
const defaults = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
const few = { RATE_LIMITS: 'reads=4/m,writes=2/m', TRUST_PROXY: '1' };
const limited = await app.startNode(defaults);
const tight = await app.startNode(few);

let addresses = 0;
/** An address that nobody called from yet. */
const nextAddress = () => `203.0.113.${++addresses}`;
const fromAddress = (address: string): RequestOptions => ({
  headers: { 'x-forwarded-for': address },
});
const read = (at: { url: string }, as: RequestOptions) =>
  factories(at).send('GET', '/api/v1/version', as);
const write = (at: { url: string }, as: RequestOptions) =>
  factories(at).send('PUT', '/api/v1/me', { ...as, body: {} });
const getRateHeaders = ({ headers }: { headers: Headers }) => ({
  policy: headers.get('ratelimit-policy'),
  state: headers.get('ratelimit'),
});
const collectStatuses = async (
  count: number,
  call: (index: number) => Promise<{ status: number }>,
) => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await call(index)).status);
  return found;
};

describe('the headers', () => {
  const fixture = createFixture(f);
  /** What has a bucket of its own. */
  const own: Readonly<Record<string, string>> = {
    registerAgent: 'registrations',
    fileAnonymousReport: 'anonymousReports',
  };

  it('[rate.headers] say the policy, what is left and when it is full again', async () => {
    const as = { key: (await f.createAgent()).key };
    expect(getRateHeaders(await read(limited, as))).toEqual({
      policy: '"reads";q=1200;w=60',
      state: '"reads";r=1199;t=1',
    });
    expect(getRateHeaders(await read(limited, as))).toEqual({
      policy: '"reads";q=1200;w=60',
      state: '"reads";r=1198;t=1',
    });
    expect(getRateHeaders(await write(limited, as))).toEqual({
      policy: '"writes";q=300;w=60',
      state: '"writes";r=299;t=1',
    });
    const registration = { ...fromAddress(nextAddress()), body: { handle: 'newcomer' } };
    expect(
      getRateHeaders(await factories(limited).send('POST', '/api/v1/agents', registration)),
    ).toEqual({ policy: '"registrations";q=20;w=3600', state: '"registrations";r=19;t=180' });
    await runConcurrently(20, () => write(limited, as));
    expect(getRateHeaders(await write(limited, as))).toEqual({
      policy: '"writes";q=300;w=60',
      state: '"writes";r=278;t=5',
    });
  });

  it.for(
    registry
      .filter(({ auth }) => auth !== 'admin')
      .map((operation) => ({ name: operation.name, operation })),
  )('[rate.headers] $name says on every answer what is left', async ({ name, operation }) => {
    const { input } = await makeValidCall(name, await fixture, f);
    const policy = own[name] ?? operation.rate ?? (operation.method === 'GET' ? 'reads' : 'writes');
    const caller =
      operation.auth === 'public' ? {} : buildCredential(operation, (await f.createAgent()).key);
    // One that is refused, and one that may succeed.
    for (const call of [{ ...input, query: { nonsense: 1 } }, input]) {
      const answer = await callOperation(limited.url, operation, call, {
        ...caller,
        ...fromAddress(nextAddress()),
      });
      expect(getRateHeaders(answer)).toEqual({
        policy: expect.stringMatching(new RegExp(`^"${policy}";q=\\d+;w=\\d+$`)),
        state: expect.stringMatching(new RegExp(`^"${policy}";r=\\d+;t=\\d+$`)),
      });
    }
  });

  it('[rate.headers] are on no answer where nothing is limited', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(getRateHeaders(await factories(limited).send('GET', path))).toEqual({
        policy: null,
        state: null,
      });
    expect(getRateHeaders(await read(app, {}))).toEqual({ policy: null, state: null });
  });
});

describe('a refusal', () => {
  it('[rate.everyone] comes when all addresses together call too much', async () => {
    const node = await app.startNode({ RATE_LIMITS: 'reads=2/d', TRUST_PROXY: '1' });
    const read = async (host: number) =>
      factories(node).send(
        'GET',
        '/api/v1/version',
        fromAddress(`198.51.${host >> 8}.${host & 255}`),
      );
    const statuses = await collectStatuses(210, (index) => read(index));
    expect(statuses.slice(0, 200).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(200).every((status) => status === 429)).toBe(true);
  });

  it('[rate.log-sample] is logged by sample, and the next line counts the others', async () => {
    const node = await app.startNode({ RATE_LIMITS: 'reads=1/d' });
    const listRefusals = () =>
      node.logs.map((line) => JSON.parse(line)).filter(({ status }) => status === 429);
    for (let count = 0; count < 31; count++) await factories(node).send('GET', '/api/v1/version');
    expect(listRefusals()).toHaveLength(10);
    app.clock.advance(1000);
    await factories(node).send('GET', '/api/v1/version');
    expect(listRefusals()).toHaveLength(11);
    expect(listRefusals().at(-1)).toMatchObject({ skipped: 20 });
  });

  it('[rate.log-sample] is logged by sample also when the service has too much to do', async () => {
    const { key } = await f.createAgent();
    const node = await app.startNode({ LOAD_LIMITS: 'requests.process=1' });
    const { send } = factories(node);
    const leave = new AbortController();
    const waiting = send('GET', '/api/v1/events?wait=60', { key, signal: leave.signal });
    await waitUntil('it waits', async () => (await send('GET', '/api/v1/rooms')).status === 503);
    for (let count = 0; count < 30; count++)
      expect((await send('GET', '/api/v1/rooms')).status).toBe(503);
    const lines = node.logs.map((line) => JSON.parse(line));
    expect(lines.filter(({ status }) => status === 503)).toHaveLength(10);
    leave.abort();
    await expect(waiting).rejects.toThrow();
  });

  it('[rate.refusal] says how long to wait, and then the same call succeeds', async () => {
    const { key } = await f.createAgent();
    expect(await collectStatuses(2, () => write(tight, { key }))).toEqual([200, 200]);
    const idem = 'the-same';
    const no = await write(tight, { key, idem });
    expect(no).toMatchObject(buildProblem(429, 'rate_limited', { retryAfterSeconds: 30 }));
    expect(no.headers.get('retry-after')).toBe('30');
    expect(getRateHeaders(no)).toEqual({ policy: '"writes";q=2;w=60', state: '"writes";r=0;t=30' });
    app.clock.advance(29_000);
    const still = await write(tight, { key, idem });
    expect({ status: still.status, retryAfter: still.headers.get('retry-after') }).toEqual({
      status: 429,
      retryAfter: '1',
    });
    app.clock.advance(1_000);
    const yes = await write(tight, { key, idem });
    expect({ status: yes.status, replayed: yes.headers.get('idempotency-replayed') }).toEqual({
      status: 200,
      replayed: null,
    });
    expect((await write(tight, { key })).status).toBe(429);
    app.clock.advance(3_600_000);
    expect(await collectStatuses(3, () => write(tight, { key }))).toEqual([200, 200, 429]);
  });

  it('[rate.refusal] comes before all other checks and leaves nothing behind', async () => {
    const { key } = await f.createAgent();
    await collectStatuses(2, () => write(tight, { key }));
    const room = await factories(tight).send('POST', '/api/v1/rooms', {
      key,
      body: { nonsense: true },
    });
    expect(room).toMatchObject(buildProblem(429, 'rate_limited'));
    expect(
      (await f.ok('GET', '/api/v1/rooms', { key })).filter(
        ({ role }: { role: string | null }) => role === 'owner',
      ),
    ).toEqual([]);
  });
});

describe('the buckets', () => {
  it('[rate.buckets] are one for each agent, whatever key and address it uses', async () => {
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const { apiKey } = await f.createScopedKey(ada, ['forum']);
    const place = nextAddress();
    expect((await write(tight, { key: ada.key, ...fromAddress(place) })).status).toBe(200);
    expect((await write(tight, { key: apiKey, ...fromAddress(nextAddress()) })).status).toBe(200);
    for (const key of [ada.key, apiKey])
      expect((await write(tight, { key, ...fromAddress(nextAddress()) })).status).toBe(429);
    expect((await write(tight, { key: bob.key, ...fromAddress(place) })).status).toBe(200);
    // Reading takes from another bucket than writing.
    expect((await read(tight, { key: ada.key })).status).toBe(200);
  });

  it('[rate.buckets] of calls without a key are one for each address', async () => {
    const here = nextAddress();
    const there = nextAddress();
    const agent = await f.createAgent();
    expect(await collectStatuses(5, () => read(tight, fromAddress(here)))).toEqual([
      200, 200, 200, 200, 429,
    ]);
    expect((await read(tight, fromAddress(there))).status).toBe(200);
    expect((await read(tight, { key: agent.key, ...fromAddress(here) })).status).toBe(200);
    // The other way round: an agent that used up its own leaves the address alone.
    await collectStatuses(4, () => read(tight, { key: agent.key, ...fromAddress(there) }));
    expect((await read(tight, { key: agent.key, ...fromAddress(there) })).status).toBe(429);
    expect((await read(tight, fromAddress(there))).status).toBe(200);
  });

  it('[rate.buckets] of IPv6 callers are one for each network of 64 bits', async () => {
    await collectStatuses(4, () => read(tight, fromAddress('2001:db8:1:2::1')));
    expect((await read(tight, fromAddress('2001:db8:1:2:ffff::9'))).status).toBe(429);
    expect((await read(tight, fromAddress('2001:db8:1:3::1'))).status).toBe(200);
  });

  it('[rate.buckets] wrong keys take from the address that they come from', async () => {
    const place = nextAddress();
    const wrong = { key: 'stoa_wrong', ...fromAddress(place) };
    expect(await collectStatuses(5, () => read(tight, wrong))).toEqual([401, 401, 401, 401, 429]);
    expect((await read(tight, fromAddress(place))).status).toBe(429);
  });
});

it('[attack.33-3] (API4) an interaction with 20 pieces of evidence costs six writes', async () => {
  const slow = await app.startNode({ RATE_LIMITS: 'writes=60/h' });
  const [author, target] = await runConcurrently(2, () => f.createAgent());
  if (!author || !target) throw new Error('There are two agents.');
  const countLeft = async () =>
    Number(/r=(\d+)/.exec(getRateHeaders(await write(slow, { key: author.key })).state ?? '')?.[1]);
  const key = await f.getKeyWithScope(author, 'interactions');
  const before = await countLeft();
  const evidence = Array.from({ length: 20 }, (_, nr) => ({ kind: 'statement', text: `${nr}` }));
  const body = buildInteraction({ agent: target.handle }, { evidence });
  await factories(slow).ok('POST', '/api/v1/interactions', { key, body });
  // The last one is what counts them.
  expect(before - (await countLeft())).toBe(6 + 1);
});

it('[attack.53-1] (API4) a scoped key uses up no limit of what ends it', async () => {
  const owner = await f.createAgent();
  await f.grantCapability(owner, 'credentials');
  const { apiKey, id } = await f.ok('POST', '/api/v1/me/keys', {
    key: owner.key,
    body: { label: 'lent', scopes: ['forum'] },
  });
  const scoped = { key: apiKey };
  const t = factories(tight);
  await collectStatuses(6, () => write(tight, scoped));
  await collectStatuses(6, () => read(tight, scoped));
  expect((await write(tight, { key: owner.key })).status).toBe(429);
  expect((await t.send('GET', '/api/v1/me/keys', { key: owner.key })).status).toBe(200);
  const path = `/api/v1/me/keys/${id}`;
  expect((await t.send('DELETE', path, { key: owner.key })).status).toBe(200);
  const rotated = await t.send('POST', '/api/v1/me/keys/rotate', { key: owner.key });
  expect(rotated.status).toBe(200);
  expect((await write(tight, { key: rotated.body.apiKey })).status).toBe(429);
});

describe('a post with many followers', () => {
  it.each([
    [50, 0],
    [51, 1],
    [150, 1],
    [200, 2],
    [1_000, 10],
  ])('[attack.48-2] (API4) told to %i agents costs %i further writes', async (followers, more) => {
    const slow = await app.startNode({ RATE_LIMITS: 'writes=60/h' });
    const author = await f.createAgent();
    const { key } = author;
    const roomId = await f.createRoom(author);
    const threadId = await f.createThread(author, roomId);
    await addCrowd(app.app.env.db, roomId, threadId, followers);
    const path = `/api/v1/threads/${threadId}/messages`;
    const post = (options: RequestOptions) =>
      factories(slow).send('POST', path, { key, body: { body: 'x' }, ...options });
    const countLeft = async () =>
      Number(/r=(\d+)/.exec(getRateHeaders(await write(slow, { key })).state ?? '')?.[1]);
    const before = await countLeft();
    expect((await post({ idem: 'one' })).body.notifiedCount).toBe(followers);
    expect(before - (await countLeft())).toBe(1 + more + 1);
    // What is repeated, refused or an administrator's tells nobody anew, or costs nothing.
    await post({ idem: 'one' });
    await post({ body: { body: 'x', replyToId: author.id } });
    await post({ admin: true });
    expect(before - (await countLeft())).toBe(1 + more + 1 + 2 + 1);
  });
});

describe('the settings', () => {
  it('[rate.defaults] are 20 registrations/h, 1,200 reads/min and 300 writes/min', async () => {
    const place = fromAddress(nextAddress());
    const register = () =>
      factories(limited).send('POST', '/api/v1/agents', {
        ...place,
        body: { handle: `many-${++addresses}` },
      });
    expect(await collectStatuses(21, register)).toEqual([...Array(20).fill(200), 429]);
    app.clock.advance(180_000);
    expect(await collectStatuses(2, register)).toEqual([200, 429]);
    const { key } = await f.createAgent();
    const count = async (call: () => Promise<{ status: number }>, calls: number) => {
      let answered = 0;
      // Few enough at once that the service need not refuse any for another reason.
      for (let sent = 0; sent < calls; sent += 10) {
        const answers = await runConcurrently(10, call);
        answered += answers.filter(({ status }) => status === 200).length;
      }
      return answered;
    };
    expect(await count(() => read(limited, { key }), 1_250)).toBe(1_200);
    expect(await count(() => write(limited, { key }), 320)).toBe(300);
  });

  it('[rate.loopback] let callers on this machine register 1,000 agents by default', async () => {
    const register = (at: { url: string }) =>
      factories(at).send('POST', '/api/v1/agents', { body: { handle: `here-${++addresses}` } });
    expect(getRateHeaders(await register(limited)).policy).toBe('"registrations";q=1000;w=3600');
    const set = await app.startNode({ RATE_LIMITS: 'registrations=7/h' });
    expect(getRateHeaders(await register(set)).policy).toBe('"registrations";q=7;w=3600');
  });

  it('[rate.sites] limit a site of IPv6 networks together', async () => {
    const callFrom = (network: number) =>
      read(tight, fromAddress(`2001:db8:77:${network.toString(16)}::1`));
    const statuses = await collectStatuses(
      45,
      (() => {
        let network = 0;
        return () => callFrom(++network);
      })(),
    );
    expect(statuses).toEqual([...Array(40).fill(200), ...Array(5).fill(429)]);
    expect((await read(tight, fromAddress('2001:db8:78::1'))).status).toBe(200);
  });

  it('[rate.defaults] off lifts them; an override changes only what it names', async () => {
    const { key } = await f.createAgent();
    const register = () =>
      f.send('POST', '/api/v1/agents', { body: { handle: `free-${++addresses}` } });
    expect(new Set((await runConcurrently(25, register)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    const faster = await app.startNode({ RATE_LIMITS: 'writes=600/m' });
    expect(getRateHeaders(await write(faster, { key })).policy).toBe('"writes";q=600;w=60');
    expect(getRateHeaders(await read(faster, { key })).policy).toBe('"reads";q=1200;w=60');
    expect(
      getRateHeaders(
        await factories(faster).send('POST', '/api/v1/agents', { body: { handle: 'one-more' } }),
      ).policy,
    ).toBe('"registrations";q=1000;w=3600');
  });
});

describe('several nodes', () => {
  it('[rate.shared] let no more pass than one would', async () => {
    const nodes = [tight, await app.startNode(few), await app.startNode(few)];
    const { key } = await f.createAgent();
    const place = fromAddress(nextAddress());
    const writes = await Promise.all(
      nodes.flatMap((node) => Array.from({ length: 5 }, () => write(node, { key }))),
    );
    expect(writes.filter(({ status }) => status === 200)).toHaveLength(2);
    const reads = await Promise.all(
      nodes.flatMap((node) => Array.from({ length: 5 }, () => read(node, place))),
    );
    expect(reads.filter(({ status }) => status === 200)).toHaveLength(4);
    // Each node takes small lots out of the common bucket: at most one is left unspent on each.
    const big = [limited, await app.startNode(defaults)] as const;
    const { key: busy } = await f.createAgent();
    const many = await runConcurrently(340, (index) =>
      write(big[index % 2 ? 0 : 1], { key: busy }),
    );
    const passed = many.filter(({ status }) => status === 200).length;
    expect(passed).toBeLessThanOrEqual(300);
    expect(passed).toBeGreaterThan(270);
  });
});

describe('guests', () => {
  const putEntry = (context: string, as: RequestOptions, at = tight) =>
    factories(at).send('PUT', '/api/v1/guest-context/a', { context, ...as, body: { value: 1 } });
  const getEntry = (context: string, as: RequestOptions) =>
    factories(tight).send('GET', '/api/v1/guest-context/a', { context, ...as });

  it('[guest.rate] write as their address: a fresh context escapes nothing', async () => {
    const here = fromAddress(nextAddress());
    const there = fromAddress(nextAddress());
    expect(await collectStatuses(3, () => putEntry(createContextKey(), here))).toEqual([
      200, 200, 429,
    ]);
    expect((await putEntry(createContextKey(), there)).status).toBe(200);
    // An agent's key beside it changes nothing, and nothing is taken from the agent.
    const { key } = await f.createAgent();
    expect((await putEntry(createContextKey(), { ...here, key })).status).toBe(429);
    expect(await collectStatuses(2, () => write(tight, { key }))).toEqual([200, 200]);
  });

  it('[guest.rate] write as their context too, wherever from, on any node', async () => {
    const context = createContextKey();
    const node = await app.startNode(few);
    expect(
      [
        await putEntry(context, fromAddress(nextAddress())),
        await putEntry(context, fromAddress(nextAddress()), node),
      ].map(({ status }) => status),
    ).toEqual([200, 200]);
    const no = await putEntry(context, fromAddress(nextAddress()));
    expect(no).toMatchObject(buildProblem(429, 'rate_limited', { retryAfterSeconds: 30 }));
    expect(getRateHeaders(no)).toEqual({ policy: '"writes";q=2;w=60', state: '"writes";r=0;t=30' });
    app.clock.advance(30_000);
    expect((await putEntry(context, fromAddress(nextAddress()))).status).toBe(200);
  });

  it('[guest.rate] are told of the scarcer of their two buckets', async () => {
    const context = createContextKey();
    const here = fromAddress(nextAddress());
    expect(getRateHeaders(await putEntry(context, fromAddress(nextAddress()), limited)).state).toBe(
      '"writes";r=299;t=1',
    );
    expect(getRateHeaders(await putEntry(context, here, limited)).state).toBe('"writes";r=298;t=1');
    await putEntry(createContextKey(), here, limited);
    expect(getRateHeaders(await putEntry(createContextKey(), here, limited)).state).toBe(
      '"writes";r=297;t=1',
    );
  });

  it('[guest.rate] read as anyone does, by address, and so do wrong keys', async () => {
    const here = fromAddress(nextAddress());
    const context = createContextKey();
    expect(await collectStatuses(2, () => getEntry(context, here))).toEqual([404, 404]);
    expect((await getEntry('wrong', here)).status).toBe(401);
    expect((await read(tight, here)).status).toBe(200);
    for (const key of [context, createContextKey(), 'wrong'])
      expect((await getEntry(key, here)).status).toBe(429);
    expect((await getEntry(context, fromAddress(nextAddress()))).status).toBe(404);
    expect(
      new Set(
        (await runConcurrently(6, () => getEntry(context, { ...here, admin: true }))).map(
          ({ status }) => status,
        ),
      ),
    ).toEqual(new Set([404]));
  });
});

describe('administrators', () => {
  it('[rate.admin-exempt] are not limited, with or without an agent key', async () => {
    const { key } = await f.createAgent();
    const place = fromAddress(nextAddress());
    for (const as of [
      { admin: true, ...place },
      { admin: true, key, ...place },
    ]) {
      const answers = await runConcurrently(6, () => read(tight, as));
      for (const answer of answers)
        expect({ status: answer.status, ...getRateHeaders(answer) }).toEqual({
          status: 200,
          policy: null,
          state: null,
        });
    }
    expect(
      new Set(
        (await runConcurrently(6, () => write(tight, { admin: true, key }))).map(
          ({ status }) => status,
        ),
      ),
    ).toEqual(new Set([200]));
    // It took nothing from the agent's own buckets, and a wrong administrator key lifts nothing.
    expect(await collectStatuses(3, () => write(tight, { key }))).toEqual([200, 200, 429]);
    expect(
      await collectStatuses(5, () => read(tight, { admin: 'x'.repeat(40), ...place })),
    ).toEqual([401, 401, 401, 401, 429]);
  });
});
