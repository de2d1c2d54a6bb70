import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together, until } from '../../support/factories.ts';
import {
  accept,
  answer,
  type Behaviour,
  dialTo,
  HOOK,
  held,
  hmac,
  hookSettings,
  type Receiver,
  SECRET,
  startReceiver,
} from './receiver.ts';

const receiver = await startReceiver();
const expired = await startReceiver({ names: ['expired.example'], expired: true });
const dials = [
  dialTo(receiver.port),
  dialTo(expired.port, 'expired.example'),
  dialTo(receiver.port, 'inside.example', '10.0.0.1'),
  dialTo(receiver.port, 'half.example'),
  dialTo(receiver.port, 'half.example', '169.254.169.254'),
  dialTo(1, 'closed.example'),
];
const app = await startApp(hookSettings(...dials));
const { db } = app.app.env;
const f = factories(app);
const path = '/api/v1/me/webhook';

const put = (agent: TestAgent, body: object = HOOK): Promise<Loose> =>
  f.ok('PUT', path, { key: agent.key, body });
const get = (agent: TestAgent): Promise<Loose> => f.ok('GET', path, { key: agent.key });
const verify = (agent: TestAgent, idem = randomUUID() as string) =>
  f.send('POST', `${path}/verify`, { key: agent.key, idem });

/** What is done while the receiver behaves so. */
async function during<T>(
  behaviour: Behaviour,
  work: () => Promise<T>,
  of: Receiver = receiver,
): Promise<T> {
  of.behave(behaviour);
  try {
    return await work();
  } finally {
    of.behave(accept);
  }
}

const failed = (reason: string) => refused(422, 'webhook_verification_failed', { reason });

describe('verifying a webhook', () => {
  it('[webhook.challenge] [webhook.proof] sends one signed challenge, and its proof makes the webhook active', async () => {
    const ada = await f.agent();
    const { id } = await put(ada);
    const before = receiver.received.length;
    const { status, body } = await verify(ada);
    expect([status, body]).toEqual([
      200,
      {
        ...body,
        id,
        state: 'active',
        verifiedAt: new Date(app.clock()).toISOString(),
        nextAttemptAt: null,
      },
    ]);
    expect(await get(ada)).toEqual(body);
    const [challenge, ...more] = receiver.received.slice(before) as [
      (typeof receiver.received)[number],
    ];
    expect(more).toEqual([]);
    expect(challenge).toMatchObject({ method: 'POST', path: '/stoa' });
    expect(challenge.body).toEqual({
      type: 'webhook.verify',
      hookId: id,
      challenge: expect.stringMatching(/^.{20,}$/),
    });
    const timestamp = String(challenge.headers['x-service-timestamp']);
    expect(timestamp).toBe(String(Math.floor(app.clock() / 1000)));
    expect(challenge.headers['x-service-signature']).toBe(
      `v1=${hmac(`${timestamp}.${challenge.raw}`)}`,
    );
    expect(challenge.headers['content-type']).toBe('application/json');
    expect(Object.keys(challenge.headers).filter((name) => /key|auth|cookie/.test(name))).toEqual(
      [],
    );
    for (const secret of [ada.key, SECRET]) expect(JSON.stringify(challenge)).not.toContain(secret);
    expect((await verify(ada)).status).toBe(200);
    expect(receiver.received.at(-1)?.body.challenge).not.toBe(challenge.body.challenge);
  });

  const echo: Behaviour = ({ raw, body }, response) =>
    response.setHeader('x-service-challenge-response', body.challenge).end(raw);
  const proving =
    (text: (challenge: string) => string): Behaviour =>
    ({ body }, response) =>
      response.setHeader('x-service-challenge-response', text(body.challenge)).end();
  it.each<[string, Behaviour, string]>([
    ['a plain 200', answer(200, {}, 'ok'), 'missing_proof'],
    ['an empty proof', answer(204, { 'x-service-challenge-response': '' }), 'missing_proof'],
    ['an echo', echo, 'wrong_proof'],
    [
      'the proof in the body',
      ({ body }, response) => response.end(hmac(`verify.${body.challenge}`)),
      'missing_proof',
    ],
    ['the HMAC of the challenge alone', proving((challenge) => hmac(challenge)), 'wrong_proof'],
    [
      'another secret',
      proving((challenge) => hmac(`verify.${challenge}`, 'ab'.repeat(32))),
      'wrong_proof',
    ],
    [
      'upper case',
      proving((challenge) => hmac(`verify.${challenge}`).toUpperCase()),
      'wrong_proof',
    ],
    [
      'a part of the proof',
      proving((challenge) => hmac(`verify.${challenge}`).slice(0, 63)),
      'wrong_proof',
    ],
    [
      'the proof and more',
      proving((challenge) => `${hmac(`verify.${challenge}`)}0`),
      'wrong_proof',
    ],
    ['the proof of another challenge', proving(() => hmac('verify.something')), 'wrong_proof'],
    [
      'the proof with a 404',
      ({ body }, response) =>
        response
          .writeHead(404, { 'x-service-challenge-response': hmac(`verify.${body.challenge}`) })
          .end(),
      'status',
    ],
    ['a 500', answer(500), 'status'],
    ['a redirect', answer(302, { location: HOOK.url }), 'redirect'],
    ['a broken connection', (_, response) => response.socket?.destroy(), 'connection'],
  ])(
    '[webhook.no-proof] [webhook.verify-reasons] does not make it active when the answer is %s',
    async (_, behaviour, reason) => {
      const ada = await f.agent();
      const made = await put(ada);
      expect(await during(behaviour, () => verify(ada))).toMatchObject(failed(reason));
      expect(await get(ada)).toEqual(made);
      expect(await verify(ada)).toMatchObject({ status: 200, body: { state: 'active' } });
    },
  );

  it.each([
    ['expired.example', 'tls'],
    ['inside.example', 'address_blocked'],
    ['half.example', 'address_blocked'],
    ['closed.example', 'connection'],
  ])('[webhook.verify-reasons] says why %s could not be asked: %s', async (host, reason) => {
    const ada = await f.agent();
    await put(ada, { ...HOOK, url: `https://${host}/stoa` });
    const before = receiver.received.length + expired.received.length;
    expect(await verify(ada)).toMatchObject(failed(reason));
    expect(receiver.received.length + expired.received.length).toBe(before);
  });

  it('[webhook.verify-reasons] waits for five seconds and no longer', async () => {
    const ada = await f.agent();
    await put(ada);
    expect(
      await during(
        () => {},
        () => verify(ada),
      ),
    ).toMatchObject(failed('timeout'));
  });

  it.each<[string, (ada: TestAgent) => Promise<unknown>, string | null]>([
    [
      'replaced',
      (ada) => put(ada, { url: 'https://hooks.example/new', secret: 'ab'.repeat(32) }),
      'pending',
    ],
    ['deleted', (ada) => f.ok('DELETE', path, { key: ada.key }), null],
    [
      'deleted and made again',
      async (ada) => [await f.ok('DELETE', path, { key: ada.key }), await put(ada)],
      'pending',
    ],
  ])(
    '[webhook.superseded] activates nothing when the webhook was %s meanwhile',
    async (_, change, state) => {
      const ada = await f.agent();
      await put(ada);
      const gate = held();
      const answered = await during(gate.behaviour, async () => {
        const verifying = verify(ada);
        await gate.arrived();
        await change(ada);
        gate.open();
        return verifying;
      });
      expect(answered).toMatchObject(failed('superseded'));
      expect((await get(ada))?.state ?? null).toBe(state);
    },
  );

  it('[webhook.verify-lost] activates nothing when the key was revoked or the agent blocked meanwhile', async () => {
    for (const lose of [
      (ada: TestAgent) => f.ok('DELETE', '/api/v1/me/keys/current', { key: ada.key }),
      (ada: TestAgent) =>
        f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
          admin: true,
          body: { blocked: true },
        }),
    ]) {
      const ada = await f.agent();
      await put(ada);
      const gate = held();
      const answered = await during(gate.behaviour, async () => {
        const verifying = verify(ada);
        await gate.arrived();
        await lose(ada);
        gate.open();
        return verifying;
      });
      expect(answered).toMatchObject(refused(409, 'credential_unavailable'));
      expect(
        await db.rows(sql`SELECT state, last_error FROM webhooks WHERE agent_id = ${ada.id}`),
      ).toEqual([{ state: 'failed', last_error: 'credential_unavailable' }]);
    }
  });

  it('[webhook.verify-none] needs a webhook', async () => {
    expect(await verify(await f.agent())).toMatchObject(refused(404, 'not_found'));
  });
});

describe('the limit of verifications', () => {
  const limited = (retryAfterSeconds: number) => ({
    ...refused(429, 'rate_limited', { retryAfterSeconds }),
  });

  it('[webhook.verify-limit] is four an hour, sliding, whatever became of them and of the webhook, on every node', async () => {
    const other = await app.another();
    const o = factories(other);
    const ada = await f.agent();
    const began = app.clock();
    const at = (seconds: number) => app.clock.advance(began + seconds * 1000 - app.clock());
    await put(ada);
    expect((await verify(ada)).status).toBe(200);
    at(600);
    expect(await during(answer(500), () => verify(ada))).toMatchObject(failed('status'));
    at(1200);
    expect((await o.send('POST', `${path}/verify`, { key: ada.key })).status).toBe(200);
    await f.ok('DELETE', path, { key: ada.key });
    await put(ada);
    expect((await verify(ada)).status).toBe(200);
    const before = receiver.received.length;
    for (const service of [f, o]) {
      const fifth = await service.send('POST', `${path}/verify`, { key: ada.key });
      expect(fifth).toMatchObject(limited(2400));
      expect(fifth.headers.get('retry-after')).toBe('2400');
    }
    at(3599);
    expect(await verify(ada)).toMatchObject(limited(1));
    expect(receiver.received.length).toBe(before);
    at(3600);
    expect((await verify(ada)).status).toBe(200);
    expect(await verify(ada)).toMatchObject(limited(600));
    expect((await verify(await withHook())).status).toBe(200);
  });

  const withHook = async () => {
    const agent = await f.agent();
    await put(agent);
    return agent;
  };

  it('[webhook.verify-bound] is a hundred at once in a process; one more is told to come again, and has lost nothing', async () => {
    const agents = await together(101, withHook);
    const gate = held();
    const before = receiver.received.length;
    const answers = await during(gate.behaviour, async () => {
      let refusals = 0;
      const verifying = agents.map(async (agent) => {
        const answered = await verify(agent, `bound-${agent.id}`);
        if (answered.status === 503) refusals += 1;
        return { ...answered, agent };
      });
      await until('one is refused', () => refusals > 0);
      gate.open();
      return Promise.all(verifying);
    });
    const [late, ...more] = answers.filter(({ status }) => status !== 200);
    expect(more).toEqual([]);
    expect(late).toMatchObject(refused(503, 'unavailable'));
    expect(late?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(receiver.received.length - before).toBe(100);
    const { agent } = late as { agent: TestAgent };
    expect((await verify(agent, `bound-${agent.id}`)).status).toBe(200);
    for (let count = 0; count < 3; count++) expect((await verify(agent)).status).toBe(200);
    expect(await verify(agent)).toMatchObject(limited(3600));
  });

  it('[webhook.verify-limit] is four also when ten are asked for at once', async () => {
    const ada = await withHook();
    const before = receiver.received.length;
    const statuses = (await together(10, () => verify(ada))).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
    expect(receiver.received.length - before).toBe(4);
  });
});

describe('a verification that is repeated', () => {
  it('[webhook.verify-once] with its key sends no second challenge, and counts once', async () => {
    const ada = await f.agent();
    await put(ada);
    const before = receiver.received.length;
    const first = await verify(ada, 'verify-1');
    for (let count = 0; count < 6; count++) {
      const again = await verify(ada, 'verify-1');
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
        200,
        first.text,
        'true',
      ]);
    }
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] while the first is on its way is told so, and gets its answer afterwards', async () => {
    const ada = await f.agent();
    await put(ada);
    const gate = held();
    const before = receiver.received.length;
    const [first, second] = await during(gate.behaviour, async () => {
      const verifying = verify(ada, 'verify-2');
      await gate.arrived();
      const meanwhile = await verify(ada, 'verify-2');
      gate.open();
      return [await verifying, meanwhile];
    });
    expect(second).toMatchObject(refused(409, 'idempotency_in_progress'));
    expect(second?.headers.get('retry-after')).toBe('1');
    expect(await verify(ada, 'verify-2')).toMatchObject({ status: 200, text: first?.text });
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] all at once has one effect', async () => {
    const ada = await f.agent();
    await put(ada);
    const before = receiver.received.length;
    const answers = await together(8, () => verify(ada, 'verify-3'));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(
      new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size,
    ).toBe(1);
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] that comes just as the first is answered sends none either, and gets its answer', async () => {
    const ada = await f.agent();
    await put(ada);
    const gate = held();
    const before = receiver.received.length;
    const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const wait = (count: number) =>
      until(`${count} wait`, async () => (await db.rows(waiting)).length === count);
    const { both } = await during(gate.behaviour, async () => {
      const first = verify(ada, 'verify-5');
      await gate.arrived();
      return db.transaction(async (tx) => {
        await tx.run(sql`SELECT 1 FROM idempotency_claims WHERE key = 'verify-5' FOR UPDATE`);
        gate.open();
        await wait(1);
        const second = verify(ada, 'verify-5');
        await wait(2);
        return { both: Promise.all([first, second]) };
      });
    });
    const [first, second] = await both;
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] after a failure has its key unused, and after a crash is done again', async () => {
    const ada = await f.agent();
    await put(ada);
    expect(await during(answer(500), () => verify(ada, 'verify-4'))).toMatchObject(
      failed('status'),
    );
    expect(await db.rows(sql`SELECT 1 FROM idempotency_claims`)).toEqual([]);
    // A process that died between its two transactions leaves just this.
    const crashed = new Date(app.clock() + 20_000).toISOString();
    await db.run(
      sql`INSERT INTO idempotency_claims VALUES (${`agent:${ada.id}`}, 'verifyWebhook', 'verify-4', gen_random_uuid(), ${crashed})`,
    );
    expect(await verify(ada, 'verify-4')).toMatchObject(refused(409, 'idempotency_in_progress'));
    app.clock.advance(20_000);
    const done = await verify(ada, 'verify-4');
    expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(await db.rows(sql`SELECT 1 FROM idempotency_claims`)).toEqual([]);
  });
});
