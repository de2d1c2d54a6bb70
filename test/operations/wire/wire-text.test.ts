import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/kernel/operation/operation.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, call, factories } from '../../support/factories.ts';
import { createCallCache, getCase, makeValidCall } from '../cases.ts';
import { callOperation, createFixture, fillPath, registry } from '../fixture.ts';
import type { ValidCall } from '../operation-case.ts';

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const fixture = await createFixture(f);
/** Refused calls leave everything as it is, so all of them share one. */
const getSharedCall = createCallCache(fixture, f);
const { owner, publicRoom } = fixture;
const { open } = fixture.threads;
const as = { key: owner.key };

type Schema = {
  readonly type?: string | readonly string[];
  readonly textKind?: string;
  readonly enum?: unknown;
  readonly items?: Schema;
  readonly properties?: Record<string, Schema>;
};
const withBody = registry.filter(
  (operation): operation is Operation => operation.kind === 'call' && operation.body !== undefined,
);
/** Every member of a body that is a text, or a list of texts. */
const texts = withBody.flatMap((operation) =>
  Object.entries((operation.body as Schema).properties ?? {}).flatMap(([member, schema]) => {
    const list = schema.items !== undefined;
    const one = schema.items ?? schema;
    return [one.type].flat().includes('string')
      ? [{ name: operation.name, operation, member, list, textKind: one.textKind }]
      : [];
  }),
);
const names = texts.filter(({ textKind }) => textKind === 'name');

/** Sends a valid call of an operation with another text in one member of its body. */
async function sendText(
  { operation, member, list }: (typeof texts)[number],
  text: string,
  { input, as }: ValidCall,
) {
  const body = { ...(input.body as object), [member]: list ? [text] : text };
  return { as, answer: await callOperation(app.url, operation, { ...input, body }, as) };
}

describe('text', () => {
  it.for(texts)(
    '[wire.text-refused] $name refuses NUL and unpaired surrogates in $member',
    async (one) => {
      for (const bad of ['\u0000', 'a\u0000b', '\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d']) {
        const { answer } = await sendText(one, bad, await getSharedCall(one.name));
        expect({ JSON: JSON.stringify(bad), answer }).toMatchObject({
          JSON: JSON.stringify(bad),
          answer: buildProblem(400, 'invalid_request'),
        });
        expect(answer.body.errors[0].pointer).toBe(`/body/${one.member}${one.list ? '/0' : ''}`);
      }
    },
  );

  it.for(withBody.map((operation) => ({ name: operation.name, operation })))(
    '[wire.text-refused] $name refuses invalid UTF-8',
    async ({ name, operation }) => {
      const { input, as } = await getSharedCall(name);
      const [member] = Object.keys((operation.body as Schema).properties ?? {});
      // A byte alone, an overlong slash, a surrogate in three bytes, a code point beyond the last,
      // a character cut off.
      for (const bytes of [
        [0xff],
        [0xc0, 0xaf],
        [0xed, 0xa0, 0x80],
        [0xf4, 0x90, 0x80, 0x80],
        [0xe2, 0x82],
      ]) {
        const raw = Buffer.concat([
          Buffer.from(`{"${member}":"`),
          Buffer.from(bytes),
          Buffer.from('"}'),
        ]);
        const answer = await call(app.url, operation.method, fillPath(operation, input), {
          ...as,
          raw,
        });
        expect(answer).toMatchObject(
          buildProblem(400, 'invalid_request', {
            errors: [{ pointer: '/body', detail: expect.stringContaining('UTF-8') }],
          }),
        );
      }
    },
  );

  const hard = [
    ' leading, trailing \r\n\t\n ',
    '\u202eoverride\u202c \u2066isolate\u2069 \u200fmark \u200d\u200c',
    '<script>alert(1)</script> &amp; <!-- # *md* `code` [x](javascript:1)',
    '👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301 é \ufeff \u2028\u2029 \u0001\u001b[31m \u007f\u0085',
    '\u{10ffff}\u{1fffe}\uffff\ufffd \\u0000 \\ud800 "quoted" \\',
  ];

  it('[wire.text-exact] is kept as it was sent, in bodies, descriptions and outcomes', async () => {
    for (const text of hard) {
      const { id } = await f.ok('POST', `/api/v1/threads/${open}/messages`, {
        ...as,
        body: { body: text },
      });
      const page = await f.ok('GET', `/api/v1/threads/${open}/messages?anchorId=${id}&limit=1`);
      expect(page.messages[0].body).toBe(text);
      const room = await f.ok('POST', '/api/v1/rooms', {
        ...as,
        body: { name: 'R', visibility: 'public', description: text },
      });
      expect((await f.ok('GET', `/api/v1/rooms/${room.id}`)).description).toBe(text);
      expect(
        (await f.ok('PUT', '/api/v1/me', { ...as, body: { description: text } })).description,
      ).toBe(text);
      await f.ok('PUT', `/api/v1/threads/${open}/summary`, { ...as, body: { summary: text } });
      expect((await f.ok('GET', `/api/v1/threads/${open}`)).summary.text).toBe(text);
    }
  });

  it('[wire.text-exact] is kept whatever it is', async () => {
    const thread = await f.createThread(owner, publicRoom);
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 200 })
      .filter((one) => !one.includes('\u0000'));
    const sent = ['First.'];
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        await f.postMessage(owner, thread, body);
        sent.push(body);
      }),
      { numRuns: 99 },
    );
    const { messages } = await f.ok('GET', `/api/v1/threads/${thread}/messages?limit=100`);
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(sent);
  });
});

describe('names and titles', () => {
  const listCodePoints = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
  const hidden = [
    ...listCodePoints(1, 0x1f),
    ...listCodePoints(0x7f, 0x9f),
    ...listCodePoints(0x202a, 0x202e),
    ...listCodePoints(0x2066, 0x2069),
  ];

  it('[wire.names] are the members that the contract calls so', () => {
    const inContract = registry.flatMap(({ name }) =>
      Object.keys(getCase(name).names ?? {}).map((member) => `${name} ${member}`),
    );
    expect(names.map(({ name, member }) => `${name} ${member}`).sort()).toEqual(inContract.sort());
    expect(inContract.length).toBeGreaterThanOrEqual(15);
  });

  it.for(names)('[wire.names] $name refuses what hides or turns text in $member', async (one) => {
    for (const character of hidden) {
      const text = `a${character}b`;
      const { answer } = await sendText(one, text, await getSharedCall(one.name));
      expect({ character: character.codePointAt(0), answer }).toMatchObject({
        character: expect.any(Number),
        answer: buildProblem(400, 'invalid_request', {
          errors: [{ pointer: `/body/${one.member}` }],
        }),
      });
    }
  });

  it.for(names)('[wire.names] $name trims $member and brings it to NFC', async (one) => {
    const valid = await makeValidCall(one.name, fixture, f);
    const sent = await sendText(one, ' \u00a0 Cafe\u0301 \u1100\u1161 \u3000', valid);
    expect(sent.answer.status).toBe(200);
    const readBack = getCase(one.name).names?.[one.member];
    expect(readBack, `the member names of the case of ${one.name}`).toBeDefined();
    expect(await readBack?.({ app, f }, { body: sent.answer.body, as: sent.as })).toBe('Café 가');
  });

  it.each([
    ['POST', '/api/v1/rooms', { name: ' \t ' }],
    ['POST', `/api/v1/rooms/${publicRoom}/threads`, { title: '\u2003', body: 'B' }],
  ])('[wire.names] are not empty after trimming: %s %s', async (method, path, body) => {
    expect(await f.send(method, path, { ...as, body })).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
  });
});

describe('lengths', () => {
  const room = (name: string) => ['POST', '/api/v1/rooms', { name }] as const;
  const thread = (title: string) =>
    ['POST', `/api/v1/rooms/${publicRoom}/threads`, { title, body: 'B' }] as const;
  const profile = (member: string) => (text: string) =>
    ['PUT', '/api/v1/me', { [member]: text }] as const;
  const summary = (text: string) =>
    ['PUT', `/api/v1/threads/${open}/summary`, { summary: text }] as const;
  const description = (text: string) =>
    ['POST', '/api/v1/rooms', { name: 'R', description: text }] as const;

  it.each([
    ['the name of a room', 120, room],
    ['the description of a room', 2000, description],
    ['the title of a thread', 200, thread],
    ['a summary', 4000, summary],
    ['a display name', 80, profile('displayName')],
    ['the description of an agent', 2000, profile('description')],
    ['an operator', 120, profile('operator')],
  ])('[wire.code-points] of %s: %d emoji, not one more', async (_, limit, request) => {
    const send = ([method, path, body]: readonly [string, string, object]) =>
      f.sendForOutcome(method, path, { ...as, body });
    expect(await send(request('😀'.repeat(limit)))).toBe('200');
    expect(await send(request('😀'.repeat(limit + 1)))).toBe('400 invalid_request');
    // White space around a name does not count: what counts is what is stored.
    if (request === room) expect(await send(request(`  ${'😀'.repeat(limit)}  `))).toBe('200');
  });

  it('[wire.code-points] of a message are bytes', async () => {
    const send = (body: string) =>
      f.send('POST', `/api/v1/threads/${open}/messages`, { ...as, body: { body } });
    expect((await send('😀'.repeat(16_384))).status).toBe(200);
    expect((await send('x'.repeat(65_536))).status).toBe(200);
    expect(await send(`${'😀'.repeat(16_384)}x`)).toMatchObject(
      buildProblem(413, 'payload_too_large', { limit: 65_536 }),
    );
  });
});
