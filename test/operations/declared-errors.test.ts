import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/config.ts';
import { sql } from '../../src/db/sql.ts';
import { type ErrorCode, errorTable } from '../../src/kernel/errors.ts';
import {
  type AnyOperation,
  ignoresUnknownQuery,
} from '../../src/kernel/operation/any-operation.ts';
import { listErrorCodes } from '../../src/kernel/operation/error-codes.ts';
import { listScopes } from '../../src/kernel/scopes.ts';
import { campaignSettings } from '../features/campaigns/setup.ts';
import { taskSettings } from '../features/tasks/setup.ts';
import { allFeaturesOff, allFeaturesOn } from '../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../support/app.ts';
import {
  type Answer,
  createContextKey,
  factories,
  type Json,
  type RequestOptions,
  type TestAgent,
} from '../support/factories.ts';
import { findValidatorLanguage, hasAdvice } from '../support/plain-words.ts';
import { createCallCache, getCase, makeValidCall } from './cases.ts';
import {
  buildCredential,
  callOperation,
  createFixture,
  type Fixture,
  getCredentialHeader,
  getUsualScope,
  type OperationInput,
  registry,
} from './fixture.ts';
import { createFixturePool } from './fixture-pool.ts';
import type { AccessRow } from './operation-case.ts';
import { watchChanges } from './row-changes.ts';

/**
 * Every code that an operation declares is provoked on it. A code fails that neither its case nor
 * the pipeline knows a way to. In every test of the suite, an operation fails that answers with a
 * code which it does not declare (kernel/pipeline/execute.ts).
 */
const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const f = factories(app);
const changes = await watchChanges(app);
const getFixture = createFixturePool(f);
const fixture = await createFixture(f);
/** Refused calls leave everything as it is, so most tests share them. */
const getSharedCall = createCallCache(fixture, f);
// Nothing runs by itself here, and there must be something in the log.
await app.app.jobs.runDue();
await f.grantCapability(fixture.owner, 'credentials');
const withoutForum = (await f.createScopedKey(fixture.owner, ['credentials'])).apiKey as string;

/** The same installation, with next to no calls left to anyone. */
const limitedNode = await app.startNode({
  RATE_LIMITS: 'reads=1/d,writes=1/d,registrations=1/d,searches=1/d,anonymousReports=1/d',
});

/** The same installation, where nobody may store anything to speak of. */
const fullNode = await app.startNode({ AGENT_BYTES_PER_DAY: '1', GUEST_BYTES_PER_DAY: '1' });

/** The same, without its optional capabilities. */
const nodeWithoutFeatures = await app.startNode(allFeaturesOff);

/** A service whose tables are gone. */
const brokenApp = await startApp(await allFeaturesOn());
await brokenApp.app.env.db.run(sql`
  DROP TABLE agents, api_keys, guest_contexts, guest_entries, rooms, threads, messages, reports,
  audit_log, campaigns, ledger_transactions, registration_tokens CASCADE
`);

/** A service whose database is nowhere. */
const settings = readSettings({
  ...taskSettings,
  ...campaignSettings,
  PORT: '0',
  REALM: 'test',
  ADMIN_KEYS: ADMIN_KEY,
});
const missingDatabase = { host: '/nowhere', port: 1, user: 'x', database: 'x' };
const appWithoutDatabase = createApp(settings, {
  connection: missingDatabase,
  log: pino({ level: 'silent' }),
  checkOutputs: true,
});
const appWithoutDatabaseUrl = await appWithoutDatabase.listen();
afterAll(() => appWithoutDatabase[Symbol.asyncDispose]());

/**
 * A record of this key is there when it is written and gone when it is looked for, as at the end of
 * its seven days.
 */
const RACING = '00000000-0000-4000-8000-000000000000';
await app.app.env.db.run(sql`CREATE FUNCTION race() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION USING ERRCODE = '23505', CONSTRAINT = 'idempotency_records_pkey'; END $$`);
await app.app.env.db.run(sql`
  CREATE TRIGGER race BEFORE
  INSERT ON idempotency_records FOR EACH ROW WHEN (
    NEW.key IN (
      '00000000-0000-4000-8000-000000000000',
      encode(sha256('00000000-0000-4000-8000-000000000000'), 'hex')
    )
  ) EXECUTE FUNCTION race()
`);

type Operation = AnyOperation;
type RefusedCall = () => Promise<Answer<Json>>;

/** Prepares a situation and returns the call that must be refused in it. */
type PrepareRefusal = (operation: Operation) => Promise<RefusedCall>;

/** The call of the operation that would succeed, with something that spoils it. */
const withSpoiledRequest =
  (more: (operation: Operation) => RequestOptions, url = app.url): PrepareRefusal =>
  async (operation) => {
    const { input, as } = await getSharedCall(operation.name);
    return () => callOperation(url, operation, input, { ...as, ...more(operation) });
  };
const withHeader = (name: string, value: string) =>
  withSpoiledRequest(() => ({ headers: { [name]: value } }));

const secondKeys = new Map<string, string>();

/** A key with this scope that no valid call uses. An agent may have only so many. */
async function getSecondKey(agent: TestAgent, scope: string): Promise<string> {
  const name = `${agent.id} ${scope}`;
  await f.getKeyWithScope(agent, scope);
  const key = secondKeys.get(name) ?? ((await f.createScopedKey(agent, [scope])).apiKey as string);
  secondKeys.set(name, key);
  return key;
}

/**
 * The same call a second time, under the same idempotency key: by another key of the agent, or with
 * another input.
 */
const callAgain =
  (otherInput: boolean): PrepareRefusal =>
  async (operation) => {
    const own: Fixture = await getFixture(operation.name);
    const second = await getSecondKey(own.owner, getUsualScope(operation) ?? 'forum');
    const { input, as, other } = await makeValidCall(operation.name, own, f);
    const idem = randomUUID();
    const first = operation.name === 'registerAgent' && !otherInput ? { key: own.owner.key } : as;
    expect((await callOperation(app.url, operation, input, { ...first, idem })).status).toBe(200);
    const caller =
      otherInput && other ? as : { ...as, ...(operation.auth !== 'admin' && { key: second }) };
    return () =>
      callOperation(app.url, operation, otherInput ? (other ?? { ...input, body: {} }) : input, {
        ...caller,
        idem,
      });
  };

/**
 * A thing that the owner of a fixture may read and anyone else may not, as the table of access has
 * it. A public read says only there what a key lacks.
 */
async function buildHiddenInput({ name }: Operation, own: Fixture): Promise<OperationInput> {
  const { access } = getCase(name);
  const hidden = [access].flat().find((row): row is AccessRow => {
    const { expected } = row as AccessRow;
    return (
      ['not_found', 'forbidden', 'unauthenticated'].includes(expected?.anonymous ?? '') &&
      expected.owner === 'ok'
    );
  });
  if (!hidden?.input)
    throw new Error(`${name} needs a row of access for what anonymous callers may not read.`);
  return hidden.input({ app, f, fixture: own, guestKey: createContextKey(), caller: 'owner' });
}

/** The call as an agent whose key has the scope, but who has not the capability any more. */
const withoutCapability =
  (removeCapability: (agent: TestAgent, scope: string) => Promise<unknown>): PrepareRefusal =>
  async (operation) => {
    const scope = getUsualScope(operation) ?? 'forum';
    const own = operation.auth === 'public' ? await createFixture(f) : undefined;
    const { input } = own
      ? { input: await buildHiddenInput(operation, own) }
      : await getSharedCall(operation.name);
    const agent = own?.owner ?? (await f.createAgent());
    const key = await f.getKeyWithScope(agent, scope);
    await removeCapability(agent, scope);
    return () => callOperation(app.url, operation, input, { key });
  };

const withoutScope: PrepareRefusal = async (operation) => {
  const isForum = listScopes(operation.scope).includes('forum');
  const key = isForum ? withoutForum : fixture.owner.key;
  const { input } =
    operation.auth === 'public'
      ? { input: await buildHiddenInput(operation, fixture) }
      : await getSharedCall(operation.name);
  return () => callOperation(app.url, operation, input, { key });
};

/** A page leaves out what it does not know of a query; what it knows must fit. */
function buildInvalidInput({ params, query }: Operation): OperationInput {
  const fill = (schema: object | undefined, value: string) =>
    Object.fromEntries(
      Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).map((name) => [
        name,
        value,
      ]),
    );
  return params ? { params: fill(params, 'x'.repeat(100)) } : { query: fill(query, '-1') };
}

const pipelineErrorCases: Partial<Record<ErrorCode, PrepareRefusal>> = {
  invalid_request: async (operation) => {
    const { input, as } = await getSharedCall(operation.name);
    if (ignoresUnknownQuery(operation)) {
      const known = buildInvalidInput(operation);
      const hasInput = operation.params !== undefined || operation.query !== undefined;
      const path = hasInput ? operation.path : `${operation.path}?%`;
      return () => callOperation(app.url, { ...operation, path }, known, as);
    }
    return () => callOperation(app.url, operation, { ...input, query: { nonsense: 1 } }, as);
  },
  unauthenticated: withSpoiledRequest(() => ({ key: undefined, admin: false, context: undefined })),
  invalid_credential: withSpoiledRequest((operation) => ({
    headers: { [getCredentialHeader(operation)]: 'wrong' },
  })),
  agent_blocked: withSpoiledRequest(() => ({ key: fixture.blocked.key, admin: false })),
  capability_disabled: withSpoiledRequest(() => ({}), nodeWithoutFeatures.url),
  insufficient_scope: withoutScope,
  capability_revoked: withoutCapability((agent, scope) =>
    f.grantCapability(agent, scope, 'revoked'),
  ),
  // No key has a scope before its capability was active: only a hand in the database brings this
  // about.
  capability_not_active: withoutCapability((agent, scope) =>
    app.app.env.db.run(
      sql`DELETE FROM capability_states WHERE agent_id = ${agent.id} AND capability = ${scope}`,
    ),
  ),
  payload_too_large: withSpoiledRequest(() => ({
    raw: JSON.stringify({ body: 'x'.repeat(512 * 1024) }),
  })),
  limit_exceeded: async (operation) => {
    const { input, as } = await makeValidCall(operation.name, fixture, f);
    return () => callOperation(fullNode.url, operation, input, as);
  },
  unsupported_media_type: withSpoiledRequest(({ kind }) => ({
    raw: 'name=x',
    headers: {
      'content-type': `application/${kind === 'form' ? 'json' : 'x-www-form-urlencoded'}`,
    },
  })),
  idempotency_key_required: withSpoiledRequest(() => ({ idem: false })),
  idempotency_key_invalid: withHeader('idempotency-key', 'not one word'),
  // This is refused after the handler has run, so the call must still be possible.
  idempotency_in_progress: async (operation) => {
    const { input, as } = await makeValidCall(operation.name, fixture, f);
    return () => callOperation(app.url, operation, input, { ...as, idem: RACING });
  },
  idempotency_key_reused: callAgain(true),
  idempotency_replay_sealed: callAgain(false),
  rate_limited: async (operation) => {
    const { input } = await getSharedCall(operation.name);
    // Administrators are not limited; who guesses their keys is.
    const { auth } = operation;
    const as =
      auth === 'admin'
        ? { admin: 'wrong' }
        : auth === 'public'
          ? {}
          : buildCredential(operation, (await f.createAgent()).key);
    await callOperation(limitedNode.url, operation, input, as);
    return () => callOperation(limitedNode.url, operation, input, as);
  },
  internal_error: withSpoiledRequest(
    ({ auth }) => (auth === 'admin' ? {} : { key: fixture.owner.key }),
    brokenApp.url,
  ),
  unavailable: withSpoiledRequest(
    ({ auth }) => (auth === 'admin' ? {} : { key: fixture.owner.key }),
    appWithoutDatabaseUrl,
  ),
};

/** What the operation itself can answer wins over what the pipeline can. */
async function prepareRefusal(operation: Operation, code: ErrorCode): Promise<RefusedCall> {
  const own = getCase(operation.name).errors?.[code];
  if (own) {
    const { input, as, url = app.url } = await own({ app, f, fixture });
    return () => callOperation(url, operation, input, as);
  }
  const way = pipelineErrorCases[code];
  if (!way)
    throw new Error(
      `${operation.name} declares ${code}: add to the errors of its case how that comes about.`,
    );
  return way(operation);
}

describe('what an operation declares', () => {
  const declarations = registry.flatMap((operation) =>
    listErrorCodes(operation).map((code) => ({ operation, name: operation.name, code })),
  );

  it.for(declarations)(
    '[error.declared] [error.nothing-half-done] [error.problem-json] [error.detail-advice] $name ' +
      'answers $code',
    async ({ operation, code }) => {
      const call = await prepareRefusal(operation, code);
      const before = await changes.getLatest();
      const { status, headers, body } = await call();
      expect(body).toEqual({
        ...body,
        type: expect.stringMatching(new RegExp(`^http://.+/docs/errors\\.md#${code}$`)),
        title: errorTable[code].title,
        status: errorTable[code].status,
        detail: expect.stringMatching(/^\S.*[.!]$/s),
        code,
        requestId: headers.get('x-request-id'),
      });
      expect(findValidatorLanguage(body.detail)).toBeUndefined();
      expect({ detail: body.detail, hasAdvice: hasAdvice(body.detail) }).toMatchObject({
        hasAdvice: true,
      });
      expect({ status, contentType: headers.get('content-type') }).toEqual({
        status: errorTable[code].status,
        contentType: 'application/problem+json; charset=utf-8',
      });
      expect(headers.get('cache-control')).toBe('private, no-store');
      const waits = ['rate_limited', 'unavailable', 'idempotency_in_progress'].includes(code);
      expect(headers.get('retry-after')).toEqual(
        waits ? expect.stringMatching(/^[1-9]\d*$/) : null,
      );
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it('[error.declared] no case has an error that its operation does not declare', () => {
    const declared = new Set(declarations.map(({ name, code }) => `${name} ${code}`));
    const provoked = registry.flatMap(({ name }) =>
      Object.keys(getCase(name).errors ?? {}).map((code) => `${name} ${code}`),
    );
    expect(provoked.filter((one) => !declared.has(one))).toEqual([]);
  });
});
