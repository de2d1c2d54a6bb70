import { describe, expect, it } from 'vitest';
import { activateCapabilities } from '../../src/features/capabilities/activate-capabilities.ts';
import { createKey } from '../../src/features/keys/create-key.ts';
import { fail, type StoaError } from '../../src/kernel/errors.ts';
import { type Operation, operation } from '../../src/kernel/operation/operation.ts';
import { createExecutor } from '../../src/kernel/pipeline/execute.ts';
import { Closed } from '../../src/kernel/schema/schema.ts';
import { startApp } from '../support/app.ts';
import { buildProblem, factories } from '../support/factories.ts';
import { registry } from './fixture.ts';

const app = await startApp({ SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const { env } = app.app;

/** An operation that asks for everything that can be asked for; its resource refuses too. */
const guarded = operation(
  'guarded',
  {
    method: 'POST',
    path: '/guarded',
    summary: 'G',
    tag: 'test',
    auth: 'agent',
    scope: 'credits',
    feature: 'credits',
    output: Closed({}),
    errors: ['state_conflict'],
  },
  async () => {
    throw fail('state_conflict', 'The resource does not allow it.');
  },
);

/** The pipeline of this installation, with credits switched on or off. */
const createPipeline = (credits: boolean) =>
  createExecutor({
    ...env,
    installation: { ...env.installation, features: { ...env.installation.features, credits } },
  });

async function run(
  key: string | undefined,
  credits: boolean,
  what: unknown = guarded,
  body?: unknown,
) {
  const call = {
    credentials: { apiKey: key },
    address: '::1',
    idempotencyKey: env.newId(),
    params: {},
    query: {},
    body,
  };
  return createPipeline(credits)(what as Operation, call).then(
    ({ body: answer }) => JSON.parse(String(answer)),
    ({ code, members }: StoaError) => ({ code, ...members }),
  );
}

describe('rights', () => {
  it('[capability.check-order] are asked in one order', async () => {
    const ada = await f.createAgent();
    await f.grantCapability(ada, 'credits');
    const { apiKey } = await run(ada.key, true, createKey, { scopes: ['credits'] });
    await f.grantCapability(ada, 'credits', 'revoked');
    const mistyped = `${ada.key.slice(0, -1)}!`;
    // Each step repairs what the one before was refused for; whatever comes later stays wrong.
    expect(await run(undefined, false)).toEqual({ code: 'unauthenticated' });
    expect(await run(mistyped, false)).toEqual({ code: 'invalid_credential' });
    expect(await run(ada.key, false)).toEqual({
      code: 'capability_disabled',
      capability: 'credits',
    });
    expect(await run(ada.key, true)).toEqual({
      code: 'insufficient_scope',
      requiredScope: 'credits',
    });
    expect(await run(apiKey, true)).toEqual({ code: 'capability_revoked', capability: 'credits' });
    await f.grantCapability(ada, 'credits');
    expect(await run(apiKey, true)).toEqual({ code: 'state_conflict' });
    expect(await run(apiKey, false)).toEqual({
      code: 'capability_disabled',
      capability: 'credits',
    });
  });

  it('[capability.check-order] createKey says first what is switched off', async () => {
    const ada = await f.createAgent();
    const { apiKey } = await f.createScopedKey(ada, ['forum']);
    expect(await run(apiKey, false, createKey, { scopes: ['credits'] })).toEqual({
      code: 'capability_disabled',
      capability: 'credits',
    });
    expect(await run(apiKey, true, createKey, { scopes: ['credits'] })).toEqual({
      code: 'insufficient_scope',
      requiredScope: 'credentials',
    });
  });

  it('[capability.check-order] activateCapabilities says first what is switched off', async () => {
    const ada = await f.createAgent();
    const { apiKey } = await f.createScopedKey(ada, ['forum']);
    const body = { capabilities: ['credits'], consent: 'service-upgrade/1' };
    expect(await run(apiKey, false, activateCapabilities, body)).toMatchObject({
      code: 'capability_disabled',
    });
    expect(await run(apiKey, true, activateCapabilities, body)).toMatchObject({
      code: 'insufficient_scope',
    });
    await f.grantCapability(ada, 'credits', 'revoked');
    expect(await run(ada.key, true, activateCapabilities, body)).toMatchObject({
      code: 'capability_revoked',
    });
  });

  it.for(
    registry
      .filter(({ auth, method, kind }) => auth !== 'public' && method !== 'GET' && kind !== 'form')
      .map((operation) => ({ name: operation.name, operation })),
  )(
    '[capability.check-order] $name asks for the credential before it looks at the body',
    async ({ operation: { method, path } }) => {
      const filled = path.replace(/\{\w+\}/g, env.newId());
      for (const [raw, type] of [
        ['{', 'application/json'],
        ['null', 'application/json'],
        ['{"name":"x"}', 'text/plain'],
        ['x'.repeat(600 * 1024), 'application/json'],
      ] as const) {
        const { status, body } = await f.send(method, filled, {
          raw,
          headers: { 'content-type': type },
        });
        expect({ type, status, code: body.code }).toEqual({
          type,
          status: 401,
          code: 'unauthenticated',
        });
      }
    },
  );

  it('[capability.revoke-scope] stop and come back with their capability', async () => {
    const ada = await f.createAgent();
    await f.grantCapability(ada, 'credentials');
    await f.grantCapability(ada, 'credits');
    const managers = [
      await f.createScopedKey(ada, ['credentials', 'forum']),
      await f.createScopedKey(ada, ['credentials']),
    ];
    const spender = await run(ada.key, true, createKey, { scopes: ['credits'] });
    const other = await app.startNode();
    const manage = (key: string) =>
      factories(other).send('DELETE', `/api/v1/me/keys/${env.newId()}`, { key });

    await f.grantCapability(ada, 'credentials', 'revoked');
    for (const { apiKey } of managers)
      expect(await manage(apiKey)).toMatchObject(
        buildProblem(403, 'capability_revoked', { capability: 'credentials' }),
      );
    expect(
      (
        await f.send('POST', '/api/v1/rooms', {
          key: managers[0].apiKey,
          body: { name: 'Forum goes on' },
        })
      ).status,
    ).toBe(200);
    expect(await run(spender.apiKey, true)).toEqual({ code: 'state_conflict' });
    await f.grantCapability(ada, 'credits', 'revoked');
    expect(await run(spender.apiKey, true)).toEqual({
      code: 'capability_revoked',
      capability: 'credits',
    });

    await f.grantCapability(ada, 'credentials');
    for (const { apiKey } of managers)
      expect(await manage(apiKey)).toMatchObject(buildProblem(404, 'not_found'));
    await f.grantCapability(ada, 'credits');
    expect(await run(spender.apiKey, true)).toEqual({ code: 'state_conflict' });
  });
});
