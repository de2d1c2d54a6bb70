import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  runFewAtOnce,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';
import {
  accept,
  answerWith,
  type Behaviour,
  buildDialSetting,
  buildWebhookSettings,
  computeHmac,
  exampleWebhook,
  holdRequests,
  OTHER_SECRET,
  type Receiver,
  SECRET,
  startReceiver,
} from './receiver.ts';

const receiver = await startReceiver();
const expired = await startReceiver({ names: ['expired.example'], expired: true });
const dials = [
  buildDialSetting(receiver.port),
  buildDialSetting(expired.port, 'expired.example'),
  buildDialSetting(receiver.port, 'inside.example', '10.0.0.1'),
  buildDialSetting(receiver.port, 'half.example'),
  buildDialSetting(receiver.port, 'half.example', '169.254.169.254'),
  buildDialSetting(1, 'closed.example'),
];
const app = await startApp(buildWebhookSettings(...dials));
const { db } = app.app.env;
const f = factories(app);
const path = '/api/v1/me/webhook';

const putWebhook = (agent: TestAgent, body: object = exampleWebhook): Promise<Json> =>
  f.ok('PUT', path, { key: agent.key, body });
const getWebhook = (agent: TestAgent): Promise<Json> => f.ok('GET', path, { key: agent.key });
const verifyWebhook = (agent: TestAgent, idem = randomUUID() as string) =>
  f.send('POST', `${path}/verify`, { key: agent.key, idem });

/** Runs while the receiver behaves so. */
async function runWithBehaviour<T>(
  behaviour: Behaviour,
  work: () => Promise<T>,
  target: Receiver = receiver,
): Promise<T> {
  target.setBehaviour(behaviour);
  try {
    return await work();
  } finally {
    target.setBehaviour(accept);
  }
}

const verificationFailed = (reason: string) =>
  buildProblem(422, 'webhook_verification_failed', { reason });

describe('verifyWebhook', () => {
  it('[webhook.challenge] [webhook.proof] activates a webhook by one challenge', async () => {
    const ada = await f.createAgent();
    const { id } = await putWebhook(ada);
    const before = receiver.received.length;
    const { status, body } = await verifyWebhook(ada);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...body,
        id,
        state: 'active',
        verifiedAt: new Date(app.clock()).toISOString(),
        nextAttemptAt: null,
      },
    });
    expect(await getWebhook(ada)).toEqual(body);
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
      `v1=${computeHmac(`${timestamp}.${challenge.raw}`)}`,
    );
    expect(challenge.headers['content-type']).toBe('application/json');
    expect(Object.keys(challenge.headers).filter((name) => /key|auth|cookie/.test(name))).toEqual(
      [],
    );
    for (const secret of [ada.key, SECRET]) expect(JSON.stringify(challenge)).not.toContain(secret);
    expect((await verifyWebhook(ada)).status).toBe(200);
    expect(receiver.received.at(-1)?.body.challenge).not.toBe(challenge.body.challenge);
  });

  const echoChallenge: Behaviour = ({ raw, body }, response) =>
    response.setHeader('x-service-challenge-response', body.challenge).end(raw);
  const proveWith =
    (text: (challenge: string) => string): Behaviour =>
    ({ body }, response) =>
      response.setHeader('x-service-challenge-response', text(body.challenge)).end();
  it.each<[string, Behaviour, string]>([
    ['a plain 200', answerWith(200, {}, 'ok'), 'missing_proof'],
    ['an empty proof', answerWith(204, { 'x-service-challenge-response': '' }), 'missing_proof'],
    ['an echo', echoChallenge, 'wrong_proof'],
    [
      'the proof in the body',
      ({ body }, response) => response.end(computeHmac(`verify.${body.challenge}`)),
      'missing_proof',
    ],
    [
      'the HMAC of the challenge alone',
      proveWith((challenge) => computeHmac(challenge)),
      'wrong_proof',
    ],
    [
      'another secret',
      proveWith((challenge) => computeHmac(`verify.${challenge}`, 'ab'.repeat(32))),
      'wrong_proof',
    ],
    [
      'upper case',
      proveWith((challenge) => computeHmac(`verify.${challenge}`).toUpperCase()),
      'wrong_proof',
    ],
    [
      'a part of the proof',
      proveWith((challenge) => computeHmac(`verify.${challenge}`).slice(0, 63)),
      'wrong_proof',
    ],
    [
      'the proof and more',
      proveWith((challenge) => `${computeHmac(`verify.${challenge}`)}0`),
      'wrong_proof',
    ],
    [
      'the proof of another challenge',
      proveWith(() => computeHmac('verify.something')),
      'wrong_proof',
    ],
    [
      'the proof with a 404',
      ({ body }, response) =>
        response
          .writeHead(404, {
            'x-service-challenge-response': computeHmac(`verify.${body.challenge}`),
          })
          .end(),
      'status',
    ],
    ['a 500', answerWith(500), 'status'],
    ['a redirect', answerWith(302, { location: exampleWebhook.url }), 'redirect'],
    ['a broken connection', (_, response) => response.socket?.destroy(), 'connection'],
  ])(
    '[webhook.no-proof] [webhook.verify-reasons] does not activate it for %s',
    async (_, behaviour, reason) => {
      const ada = await f.createAgent();
      const made = await putWebhook(ada);
      expect(await runWithBehaviour(behaviour, () => verifyWebhook(ada))).toMatchObject(
        verificationFailed(reason),
      );
      expect(await getWebhook(ada)).toEqual(made);
      expect(await verifyWebhook(ada)).toMatchObject({ status: 200, body: { state: 'active' } });
    },
  );

  it.each([
    ['expired.example', 'tls'],
    ['inside.example', 'address_blocked'],
    ['half.example', 'address_blocked'],
    ['closed.example', 'connection'],
  ])('[webhook.verify-reasons] says why %s could not be reached: %s', async (host, reason) => {
    const ada = await f.createAgent();
    await putWebhook(ada, { ...exampleWebhook, url: `https://${host}/stoa` });
    const before = receiver.received.length + expired.received.length;
    expect(await verifyWebhook(ada)).toMatchObject(verificationFailed(reason));
    expect(receiver.received.length + expired.received.length).toBe(before);
  });

  it('[webhook.verify-reasons] waits for five seconds and no longer', async () => {
    const ada = await f.createAgent();
    await putWebhook(ada);
    expect(
      await runWithBehaviour(
        () => {},
        () => verifyWebhook(ada),
      ),
    ).toMatchObject(verificationFailed('timeout'));
  });

  it.each<[string, (ada: TestAgent) => Promise<unknown>, string | null]>([
    [
      'replaced',
      (ada) => putWebhook(ada, { url: 'https://hooks.example/new', secret: OTHER_SECRET }),
      'pending',
    ],
    ['deleted', (ada) => f.ok('DELETE', path, { key: ada.key }), null],
    [
      'deleted and made again',
      async (ada) => [await f.ok('DELETE', path, { key: ada.key }), await putWebhook(ada)],
      'pending',
    ],
  ])(
    '[webhook.superseded] activates nothing when the webhook was %s meanwhile',
    async (_, change, state) => {
      const ada = await f.createAgent();
      await putWebhook(ada);
      const gate = holdRequests();
      const answered = await runWithBehaviour(gate.behaviour, async () => {
        const verifying = verifyWebhook(ada);
        await gate.waitForArrival();
        await change(ada);
        gate.open();
        return verifying;
      });
      expect(answered).toMatchObject(verificationFailed('superseded'));
      expect((await getWebhook(ada))?.state ?? null).toBe(state);
    },
  );

  it('[webhook.verify-lost] activates nothing if the key or agent was stopped', async () => {
    for (const lose of [
      (ada: TestAgent) => f.ok('DELETE', '/api/v1/me/keys/current', { key: ada.key }),
      (ada: TestAgent) =>
        f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
          admin: true,
          body: { blocked: true },
        }),
    ]) {
      const ada = await f.createAgent();
      await putWebhook(ada);
      const gate = holdRequests();
      const answered = await runWithBehaviour(gate.behaviour, async () => {
        const verifying = verifyWebhook(ada);
        await gate.waitForArrival();
        await lose(ada);
        gate.open();
        return verifying;
      });
      expect(answered).toMatchObject(buildProblem(409, 'credential_unavailable'));
      expect(
        await db.rows(sql`
          SELECT state, last_error
          FROM webhooks
          WHERE agent_id = ${ada.id}
        `),
      ).toEqual([{ state: 'failed', last_error: 'credential_unavailable' }]);
    }
  });

  it('[webhook.verify-none] needs a webhook', async () => {
    expect(await verifyWebhook(await f.createAgent())).toMatchObject(
      buildProblem(404, 'not_found'),
    );
  });
});

describe('the limits of verifyWebhook', () => {
  const rateLimited = (retryAfterSeconds: number) => ({
    ...buildProblem(429, 'rate_limited', { retryAfterSeconds }),
  });

  it('[webhook.verify-limit] allow four an hour on all nodes', async () => {
    const other = await app.startNode();
    const o = factories(other);
    const ada = await f.createAgent();
    const began = app.clock();
    const moveClockTo = (seconds: number) =>
      app.clock.advance(began + seconds * 1000 - app.clock());
    await putWebhook(ada);
    expect((await verifyWebhook(ada)).status).toBe(200);
    moveClockTo(600);
    expect(await runWithBehaviour(answerWith(500), () => verifyWebhook(ada))).toMatchObject(
      verificationFailed('status'),
    );
    moveClockTo(1200);
    expect((await o.send('POST', `${path}/verify`, { key: ada.key })).status).toBe(200);
    await f.ok('DELETE', path, { key: ada.key });
    await putWebhook(ada);
    expect((await verifyWebhook(ada)).status).toBe(200);
    const before = receiver.received.length;
    for (const service of [f, o]) {
      const fifth = await service.send('POST', `${path}/verify`, { key: ada.key });
      expect(fifth).toMatchObject(rateLimited(2400));
      expect(fifth.headers.get('retry-after')).toBe('2400');
    }
    moveClockTo(3599);
    expect(await verifyWebhook(ada)).toMatchObject(rateLimited(1));
    expect(receiver.received.length).toBe(before);
    moveClockTo(3600);
    expect((await verifyWebhook(ada)).status).toBe(200);
    expect(await verifyWebhook(ada)).toMatchObject(rateLimited(600));
    expect((await verifyWebhook(await createAgentWithWebhook())).status).toBe(200);
  });

  const createAgentWithWebhook = async () => {
    const agent = await f.createAgent();
    await putWebhook(agent);
    return agent;
  };

  it('[webhook.verify-bound] allow a hundred at once in a process and lose nothing', async () => {
    const agents = await runFewAtOnce(101, createAgentWithWebhook);
    const gate = holdRequests();
    const before = receiver.received.length;
    const answers = await runWithBehaviour(gate.behaviour, async () => {
      let refusals = 0;
      const verifying = agents.map(async (agent) => {
        const answered = await verifyWebhook(agent, `bound-${agent.id}`);
        if (answered.status === 503) refusals += 1;
        return { ...answered, agent };
      });
      await waitUntil('one is refused', () => refusals > 0);
      gate.open();
      return Promise.all(verifying);
    });
    const [late, ...more] = answers.filter(({ status }) => status !== 200);
    expect(more).toEqual([]);
    expect(late).toMatchObject(buildProblem(503, 'unavailable'));
    expect(late?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(receiver.received.length - before).toBe(100);
    const { agent } = late as { agent: TestAgent };
    expect((await verifyWebhook(agent, `bound-${agent.id}`)).status).toBe(200);
    for (let count = 0; count < 3; count++) expect((await verifyWebhook(agent)).status).toBe(200);
    expect(await verifyWebhook(agent)).toMatchObject(rateLimited(3600));
  });

  it('[webhook.verify-limit] allow four also when ten are requested at once', async () => {
    const ada = await createAgentWithWebhook();
    const before = receiver.received.length;
    const statuses = (await runConcurrently(10, () => verifyWebhook(ada)))
      .map(({ status }) => status)
      .sort();
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
    expect(receiver.received.length - before).toBe(4);
  });
});

describe('verifyWebhook repeated with its key', () => {
  it('[webhook.verify-once] sends no second challenge and counts once', async () => {
    const ada = await f.createAgent();
    await putWebhook(ada);
    const before = receiver.received.length;
    const first = await verifyWebhook(ada, 'verify-1');
    for (let count = 0; count < 6; count++) {
      const again = await verifyWebhook(ada, 'verify-1');
      expect({
        status: again.status,
        text: again.text,
        idempotencyReplayed: again.headers.get('idempotency-replayed'),
      }).toEqual({ status: 200, text: first.text, idempotencyReplayed: 'true' });
    }
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] is told to wait, and replays the answer later', async () => {
    const ada = await f.createAgent();
    await putWebhook(ada);
    const gate = holdRequests();
    const before = receiver.received.length;
    const [first, second] = await runWithBehaviour(gate.behaviour, async () => {
      const verifying = verifyWebhook(ada, 'verify-2');
      await gate.waitForArrival();
      const meanwhile = await verifyWebhook(ada, 'verify-2');
      gate.open();
      return [await verifying, meanwhile];
    });
    expect(second).toMatchObject(buildProblem(409, 'idempotency_in_progress'));
    expect(second?.headers.get('retry-after')).toBe('1');
    expect(await verifyWebhook(ada, 'verify-2')).toMatchObject({ status: 200, text: first?.text });
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] has one effect when all calls come at once', async () => {
    const ada = await f.createAgent();
    await putWebhook(ada);
    const before = receiver.received.length;
    const answers = await runConcurrently(8, () => verifyWebhook(ada, 'verify-3'));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(
      new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size,
    ).toBe(1);
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] replays the answer when it has just been stored', async () => {
    const ada = await f.createAgent();
    await putWebhook(ada);
    const gate = holdRequests();
    const before = receiver.received.length;
    const waiting = sql`
      SELECT 1
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `;
    const waitForWaiting = (count: number) =>
      waitUntil(`${count} wait`, async () => (await db.rows(waiting)).length === count);
    const { both } = await runWithBehaviour(gate.behaviour, async () => {
      const first = verifyWebhook(ada, 'verify-5');
      await gate.waitForArrival();
      return db.transaction(async (tx) => {
        await tx.run(sql`
          SELECT 1
          FROM idempotency_claims
          WHERE key = 'verify-5'
          FOR UPDATE
        `);
        gate.open();
        await waitForWaiting(1);
        const second = verifyWebhook(ada, 'verify-5');
        await waitForWaiting(2);
        return { both: Promise.all([first, second]) };
      });
    });
    const [first, second] = await both;
    expect({ first: first.status, second: second.status, text: second.text }).toEqual({
      first: 200,
      second: 200,
      text: first.text,
    });
    expect(receiver.received.length - before).toBe(1);
  });

  it('[webhook.verify-once] runs again after a failure or a crash', async () => {
    const ada = await f.createAgent();
    await putWebhook(ada);
    expect(
      await runWithBehaviour(answerWith(500), () => verifyWebhook(ada, 'verify-4')),
    ).toMatchObject(verificationFailed('status'));
    expect(await db.rows(sql`SELECT 1 FROM idempotency_claims`)).toEqual([]);
    // A process that died between its two transactions leaves exactly this.
    const crashed = new Date(app.clock() + 20_000).toISOString();
    await db.run(sql`
      INSERT INTO idempotency_claims
      VALUES (${`agent:${ada.id}`}, 'verifyWebhook', 'verify-4', gen_random_uuid(), ${crashed})
    `);
    expect(await verifyWebhook(ada, 'verify-4')).toMatchObject(
      buildProblem(409, 'idempotency_in_progress'),
    );
    app.clock.advance(20_000);
    const done = await verifyWebhook(ada, 'verify-4');
    expect({
      status: done.status,
      idempotencyReplayed: done.headers.get('idempotency-replayed'),
    }).toEqual({ status: 200, idempotencyReplayed: null });
    expect(await db.rows(sql`SELECT 1 FROM idempotency_claims`)).toEqual([]);
  });
});
