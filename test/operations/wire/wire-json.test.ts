import { describe, expect, it } from 'vitest';
import { isMutation } from '../../../src/kernel/operation/any-operation.ts';
import type { Operation } from '../../../src/kernel/operation/operation.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, call, factories, type Json } from '../../support/factories.ts';
import { getCase, makeValidCall } from '../cases.ts';
import { callOperation, createFixture, fillPath, registry } from '../fixture.ts';

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const fixture = await createFixture(f);
const { owner } = fixture;

const calls = registry.filter((operation): operation is Operation => operation.kind === 'call');
const withBody = calls
  .filter(({ body }) => body)
  .map((operation) => ({ name: operation.name, operation }));

type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};
/** Every object in a schema, with the way to it. */
function listObjects(schema: Schema, at = ''): [string, Schema][] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, one]) =>
      listObjects(one, `${at}/${name}`),
    ),
    ...(schema.items ? [listObjects(schema.items, `${at}/*`)] : []),
  ];
  return [
    ...([schema.type].flat().includes('object') ? [[at, schema] as [string, Schema]] : []),
    ...inner.flat(),
  ];
}

/** Members that a record has or has not, and the reason why they are not null. */
const missing: Readonly<Record<string, string>> = {
  via: 'messages that came by the API look as they always did',
};

describe('answers', () => {
  it.for(calls.map(({ name, output }) => ({ name, output })))(
    '[wire.absent-null] $name leaves no member out',
    ({ output }) => {
      for (const [at, { properties = {}, required = [] }] of listObjects(output as Schema)) {
        const shown = Object.keys(properties).filter((name) => !(name in missing));
        expect([...required].sort(), at).toEqual(shown.sort());
        // A document of another standard says by `$schema` which one.
        for (const name of Object.keys(properties))
          expect(name).toMatch(/^(?:[a-z][A-Za-z0-9]*|\$schema)$/);
      }
    },
  );

  it('[wire.absent-null] show what is absent as null, in UTF-8', async () => {
    const { headers, body } = await f.send('GET', `/api/v1/agents/${owner.handle}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({
      displayName: null,
      description: null,
      homepageUrl: null,
      operator: null,
    });
    expect(await f.ok('GET', `/api/v1/threads/${fixture.threads.open}`)).toMatchObject({
      summary: null,
      subscribed: null,
    });
    expect(
      (await f.ok('GET', `/api/v1/threads/${fixture.threads.open}/messages`)).messages[0],
    ).toMatchObject({ replyToId: null });
    expect(await f.ok('GET', `/api/v1/rooms/${fixture.publicRoom}`)).toMatchObject({
      description: null,
      role: null,
    });
    await f.ok('PUT', '/api/v1/me', { key: owner.key, body: { displayName: 'Žofie 文 😀' } });
    const bytes = await (await fetch(`${app.url}/api/v1/agents/${owner.handle}`)).arrayBuffer();
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toContain('Žofie 文 😀');
  });
});

describe('a request body', () => {
  it.for(withBody)(
    '[wire.unknown-members] $name names the members that it does not know',
    async ({ name, operation }) => {
      const { input, as } = await makeValidCall(name, fixture, f);
      const answer = await callOperation(
        app.url,
        operation,
        { ...input, body: { ...(input.body as object), surprise: 1, 'a/b~c': null } },
        as,
      );
      expect(answer).toMatchObject(buildProblem(400, 'invalid_request'));
      expect(answer.body.errors.map(({ pointer }: Json) => pointer).sort()).toEqual([
        '/body/a~1b~0c',
        '/body/surprise',
      ]);
    },
  );

  const createRoom = (raw: string) =>
    call(app.url, 'POST', '/api/v1/rooms', { key: owner.key, raw });

  it.each([
    ['{"name":"x","name":"y"}'],
    ['{"name":"x","name":"x"}'],
    ['{"name":"x","n\\u0061me":"y"}'],
    [`{"name":"x","name"${' '.repeat(100)}:"y"}`],
    ['{"name":"x","description":null,"\\u0064escription":null}'],
    ['{"name":"x","more":{"a":1,"b":{"c":1,"c":2}}}'],
    ['[{"a":1,"a":2}]'],
  ])('[wire.json-strict] with a member that occurs twice is refused: %s', async (raw) => {
    const { body } = await createRoom(raw);
    expect(body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/body', detail: expect.stringContaining('occurs twice') }],
    });
  });

  it.for(withBody)(
    '[wire.json-strict] $name takes a body of 32 levels, not of 33',
    async ({ name, operation }) => {
      const { input, as } = await makeValidCall(name, fixture, f);
      const sendNested = async (levels: number) => {
        const raw = `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
        return (await call(app.url, operation.method, fillPath(operation, input), { ...as, raw }))
          .body;
      };
      expect(await sendNested(33)).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/body', detail: expect.stringContaining('32') }],
      });
      expect((await sendNested(32)).errors).toContainEqual({
        pointer: '/body/deep',
        detail: 'is not a known member: leave it out, or correct its name',
      });
    },
  );

  it('[wire.json-strict] may hold what only looks double or deep', async () => {
    const description = '{"name":1,"name":2} \\" [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[';
    const { status, body } = await createRoom(
      JSON.stringify({ name: 'name":"name', description, visibility: 'public' }),
    );
    expect(status).toBe(200);
    expect((await f.ok('GET', `/api/v1/rooms/${body.id}`)).description).toBe(description);
  });
});

describe('acknowledgements', () => {
  it.for(
    calls
      .filter((operation) => isMutation(operation) && getCase(operation.name).ack !== 'record')
      .map((operation) => ({ name: operation.name, operation })),
  )(
    '[wire.ack] $name acknowledges with the members of the contract',
    async ({ name, operation }) => {
      const { input, as } = await makeValidCall(name, await createFixture(f), f);
      const { body } = await callOperation(app.url, operation, input, as);
      expect(Object.keys(body).sort(), `the member ack of the case of ${name}`).toEqual(
        getCase(name).ack,
      );
      if (operation.method === 'DELETE')
        expect(body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    },
  );
});
