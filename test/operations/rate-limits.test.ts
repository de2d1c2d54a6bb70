import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { validCall } from '../calls.ts';
import { everythingOn } from '../everything.ts';
import { contextKey, factories, type RequestOptions, refused, together } from '../support/factories.ts';
import { ask, createWorld, credentialFor, registry } from './fixture.ts';

const app = await startApp(await everythingOn());
const f = factories(app);
/** The same installation with the limits of its defaults, and with tight ones; callers are told apart by what the proxy says. */
const defaults = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
const few = { RATE_LIMITS: 'reads=4/m,writes=2/m', TRUST_PROXY: '1' };
const limited = await app.another(defaults);
const tight = await app.another(few);

let addresses = 0;
/** An address that nobody called from yet. */
const somewhere = () => `203.0.113.${++addresses}`;
const from = (address: string): RequestOptions => ({ headers: { 'x-forwarded-for': address } });
const read = (at: { url: string }, as: RequestOptions) =>
  factories(at).send('GET', '/api/v1/version', as);
const write = (at: { url: string }, as: RequestOptions) =>
  factories(at).send('PUT', '/api/v1/me', { ...as, body: {} });
const rateOf = ({ headers }: { headers: Headers }) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
];
const statuses = async (count: number, call: () => Promise<{ status: number }>) => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await call()).status);
  return found;
};

describe('the headers', () => {
  const world = createWorld(f);
  /** What has a bucket of its own. */
  const own: Readonly<Record<string, string>> = {
    registerAgent: 'registrations',
    fileAnonymousReport: 'anonymousReports',
  };

  it('[rate.headers] say the policy, what is left and when it is full again', async () => {
    const as = { key: (await f.agent()).key };
    expect(rateOf(await read(limited, as))).toEqual(['"reads";q=1200;w=60', '"reads";r=1199;t=1']);
    expect(rateOf(await read(limited, as))).toEqual(['"reads";q=1200;w=60', '"reads";r=1198;t=1']);
    expect(rateOf(await write(limited, as))).toEqual(['"writes";q=300;w=60', '"writes";r=299;t=1']);
    const registration = { ...from(somewhere()), body: { handle: 'newcomer' } };
    expect(rateOf(await factories(limited).send('POST', '/api/v1/agents', registration))).toEqual([
      '"registrations";q=20;w=3600',
      '"registrations";r=19;t=180',
    ]);
    await together(20, () => write(limited, as));
    expect(rateOf(await write(limited, as))).toEqual(['"writes";q=300;w=60', '"writes";r=278;t=5']);
  });

  it.for(
    registry
      .filter(({ auth }) => auth !== 'admin')
      .map((operation) => ({ name: operation.name, operation })),
  )('[rate.headers] are on every answer of $name', async ({ name, operation }) => {
    const { input } = await validCall(name, await world, f);
    const policy = own[name] ?? operation.rate ?? (operation.method === 'GET' ? 'reads' : 'writes');
    const caller =
      operation.auth === 'public' ? {} : credentialFor(operation, (await f.agent()).key);
    // One that is refused, and one that may succeed.
    for (const call of [{ ...input, query: { nonsense: 1 } }, input]) {
      const answer = await ask(limited.url, operation, call, { ...caller, ...from(somewhere()) });
      expect(rateOf(answer)).toEqual([
        expect.stringMatching(new RegExp(`^"${policy}";q=\\d+;w=\\d+$`)),
        expect.stringMatching(new RegExp(`^"${policy}";r=\\d+;t=\\d+$`)),
      ]);
    }
  });

  it('[rate.headers] are on no answer where nothing is limited', async () => {
    for (const path of ['/healthz', '/openapi.json', '/nothing'])
      expect(rateOf(await factories(limited).send('GET', path))).toEqual([null, null]);
    expect(rateOf(await read(app, {}))).toEqual([null, null]);
  });
});

describe('a refusal', () => {
  it('[rate.refusal] says how long to wait, and then the same call succeeds', async () => {
    const { key } = await f.agent();
    expect(await statuses(2, () => write(tight, { key }))).toEqual([200, 200]);
    const idem = 'the-same';
    const no = await write(tight, { key, idem });
    expect(no).toMatchObject(refused(429, 'rate_limited', { retryAfterSeconds: 30 }));
    expect(no.headers.get('retry-after')).toBe('30');
    expect(rateOf(no)).toEqual(['"writes";q=2;w=60', '"writes";r=0;t=30']);
    app.clock.advance(29_000);
    const still = await write(tight, { key, idem });
    expect([still.status, still.headers.get('retry-after')]).toEqual([429, '1']);
    app.clock.advance(1_000);
    const yes = await write(tight, { key, idem });
    expect([yes.status, yes.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect((await write(tight, { key })).status).toBe(429);
    app.clock.advance(3_600_000);
    expect(await statuses(3, () => write(tight, { key }))).toEqual([200, 200, 429]);
  });

  it('[rate.refusal] comes before anything else is looked at, and leaves nothing behind', async () => {
    const { key } = await f.agent();
    await statuses(2, () => write(tight, { key }));
    const room = await factories(tight).send('POST', '/api/v1/rooms', {
      key,
      body: { nonsense: true },
    });
    expect(room).toMatchObject(refused(429, 'rate_limited'));
    expect(
      (await f.ok('GET', '/api/v1/rooms', { key })).filter(
        ({ role }: { role: string | null }) => role === 'owner',
      ),
    ).toEqual([]);
  });
});

describe('the buckets', () => {
  it('[rate.buckets] are one for each agent, whichever of its keys it uses and wherever it calls from', async () => {
    const [ada, bob] = [await f.agent(), await f.agent()];
    const { apiKey } = await f.scopedKey(ada, ['forum']);
    const place = somewhere();
    expect((await write(tight, { key: ada.key, ...from(place) })).status).toBe(200);
    expect((await write(tight, { key: apiKey, ...from(somewhere()) })).status).toBe(200);
    for (const key of [ada.key, apiKey])
      expect((await write(tight, { key, ...from(somewhere()) })).status).toBe(429);
    expect((await write(tight, { key: bob.key, ...from(place) })).status).toBe(200);
    // Reading takes from another bucket than writing.
    expect((await read(tight, { key: ada.key })).status).toBe(200);
  });

  it('[rate.buckets] of calls without a key are one for each address', async () => {
    const [here, there] = [somewhere(), somewhere()];
    const agent = await f.agent();
    expect(await statuses(5, () => read(tight, from(here)))).toEqual([200, 200, 200, 200, 429]);
    expect((await read(tight, from(there))).status).toBe(200);
    expect((await read(tight, { key: agent.key, ...from(here) })).status).toBe(200);
    // The other way round: an agent that used up its own leaves the address alone.
    await statuses(4, () => read(tight, { key: agent.key, ...from(there) }));
    expect((await read(tight, { key: agent.key, ...from(there) })).status).toBe(429);
    expect((await read(tight, from(there))).status).toBe(200);
  });

  it('[rate.buckets] of IPv6 callers are one for each network of 64 bits', async () => {
    await statuses(4, () => read(tight, from('2001:db8:1:2::1')));
    expect((await read(tight, from('2001:db8:1:2:ffff::9'))).status).toBe(429);
    expect((await read(tight, from('2001:db8:1:3::1'))).status).toBe(200);
  });

  it('[rate.buckets] wrong keys take from the address that they come from', async () => {
    const place = somewhere();
    const wrong = { key: 'stoa_wrong', ...from(place) };
    expect(await statuses(5, () => read(tight, wrong))).toEqual([401, 401, 401, 401, 429]);
    expect((await read(tight, from(place))).status).toBe(429);
  });
});

describe('the settings', () => {
  it('[rate.defaults] are 20 registrations an hour, 1,200 reads and 300 writes a minute', async () => {
    const place = from(somewhere());
    const register = () =>
      factories(limited).send('POST', '/api/v1/agents', {
        ...place,
        body: { handle: `many-${++addresses}` },
      });
    expect(await statuses(21, register)).toEqual([...Array(20).fill(200), 429]);
    app.clock.advance(180_000);
    expect(await statuses(2, register)).toEqual([200, 429]);
    const { key } = await f.agent();
    const count = async (call: () => Promise<{ status: number }>, calls: number) =>
      (await together(calls, call)).filter(({ status }) => status === 200).length;
    expect(await count(() => read(limited, { key }), 1_250)).toBe(1_200);
    expect(await count(() => write(limited, { key }), 320)).toBe(300);
  });

  it('[rate.defaults] off lifts them; an override changes only what it names', async () => {
    const { key } = await f.agent();
    const register = () =>
      f.send('POST', '/api/v1/agents', { body: { handle: `free-${++addresses}` } });
    expect(new Set((await together(25, register)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    const faster = await app.another({ RATE_LIMITS: 'writes=600/m' });
    expect(rateOf(await write(faster, { key }))[0]).toBe('"writes";q=600;w=60');
    expect(rateOf(await read(faster, { key }))[0]).toBe('"reads";q=1200;w=60');
    expect(
      rateOf(
        await factories(faster).send('POST', '/api/v1/agents', { body: { handle: 'one-more' } }),
      )[0],
    ).toBe('"registrations";q=20;w=3600');
  });
});

describe('several nodes', () => {
  it('[rate.shared] let no more pass than one would', async () => {
    const nodes = [tight, await app.another(few), await app.another(few)];
    const { key } = await f.agent();
    const place = from(somewhere());
    const writes = await Promise.all(
      nodes.flatMap((node) => Array.from({ length: 5 }, () => write(node, { key }))),
    );
    expect(writes.filter(({ status }) => status === 200)).toHaveLength(2);
    const reads = await Promise.all(
      nodes.flatMap((node) => Array.from({ length: 5 }, () => read(node, place))),
    );
    expect(reads.filter(({ status }) => status === 200)).toHaveLength(4);
    // Each node takes small lots out of the common bucket: at most one is left unspent on each.
    const big = [limited, await app.another(defaults)] as const;
    const { key: busy } = await f.agent();
    const many = await together(340, (index) => write(big[index % 2 ? 0 : 1], { key: busy }));
    const passed = many.filter(({ status }) => status === 200).length;
    expect(passed).toBeLessThanOrEqual(300);
    expect(passed).toBeGreaterThan(270);
  });
});

describe('guests', () => {
  const keep = (context: string, as: RequestOptions, at = tight) =>
    factories(at).send('PUT', '/api/v1/guest-context/a', { context, ...as, body: { value: 1 } });
  const look = (context: string, as: RequestOptions) =>
    factories(tight).send('GET', '/api/v1/guest-context/a', { context, ...as });

  it('[guest.rate] write as their address: a fresh context escapes nothing', async () => {
    const [here, there] = [from(somewhere()), from(somewhere())];
    expect(await statuses(3, () => keep(contextKey(), here))).toEqual([200, 200, 429]);
    expect((await keep(contextKey(), there)).status).toBe(200);
    // An agent's key beside it changes nothing, and nothing is taken from the agent.
    const { key } = await f.agent();
    expect((await keep(contextKey(), { ...here, key })).status).toBe(429);
    expect(await statuses(2, () => write(tight, { key }))).toEqual([200, 200]);
  });

  it('[guest.rate] write as their context too, wherever from, on any node', async () => {
    const context = contextKey();
    const node = await app.another(few);
    expect(
      [await keep(context, from(somewhere())), await keep(context, from(somewhere()), node)].map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200]);
    const no = await keep(context, from(somewhere()));
    expect(no).toMatchObject(refused(429, 'rate_limited', { retryAfterSeconds: 30 }));
    expect(rateOf(no)).toEqual(['"writes";q=2;w=60', '"writes";r=0;t=30']);
    app.clock.advance(30_000);
    expect((await keep(context, from(somewhere()))).status).toBe(200);
  });

  it('[guest.rate] are told of the scarcer of their two buckets', async () => {
    const [context, here] = [contextKey(), from(somewhere())];
    expect(rateOf(await keep(context, from(somewhere()), limited))[1]).toBe('"writes";r=299;t=1');
    expect(rateOf(await keep(context, here, limited))[1]).toBe('"writes";r=298;t=1');
    await keep(contextKey(), here, limited);
    expect(rateOf(await keep(contextKey(), here, limited))[1]).toBe('"writes";r=297;t=1');
  });

  it('[guest.rate] read as anyone does, by address, and so do wrong keys', async () => {
    const [here, context] = [from(somewhere()), contextKey()];
    expect(await statuses(2, () => look(context, here))).toEqual([404, 404]);
    expect((await look('wrong', here)).status).toBe(401);
    expect((await read(tight, here)).status).toBe(200);
    for (const key of [context, contextKey(), 'wrong'])
      expect((await look(key, here)).status).toBe(429);
    expect((await look(context, from(somewhere()))).status).toBe(404);
    expect(
      new Set(
        (await together(6, () => look(context, { ...here, admin: true }))).map(
          ({ status }) => status,
        ),
      ),
    ).toEqual(new Set([404]));
  });
});

describe('administrators', () => {
  it('[rate.admin-exempt] are not limited, with or without an agent key', async () => {
    const { key } = await f.agent();
    const place = from(somewhere());
    for (const as of [
      { admin: true, ...place },
      { admin: true, key, ...place },
    ]) {
      const answers = await together(6, () => read(tight, as));
      for (const answer of answers)
        expect([answer.status, ...rateOf(answer)]).toEqual([200, null, null]);
    }
    expect(
      new Set(
        (await together(6, () => write(tight, { admin: true, key }))).map(({ status }) => status),
      ),
    ).toEqual(new Set([200]));
    // It took nothing from the agent's own buckets, and a wrong administrator key lifts nothing.
    expect(await statuses(3, () => write(tight, { key }))).toEqual([200, 200, 429]);
    expect(await statuses(5, () => read(tight, { admin: 'x'.repeat(40), ...place }))).toEqual([
      401, 401, 401, 401, 429,
    ]);
  });
});
