import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/config.ts';
import { sql } from '../../src/db/sql.ts';
import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';
import { codesOf } from '../../src/kernel/operation/error-codes.ts';
import { type ErrorCode, errorTable } from '../../src/kernel/errors.ts';
import { ADMIN_KEY, startApp } from '../support/app.ts';
import { validCall } from '../calls.ts';
import { CAMPAIGNS } from '../features/campaigns/setup.ts';
import { watchChanges } from './row-changes.ts';
import { everythingOff, everythingOn } from '../everything.ts';
import {
  type Answer,
  factories,
  type Loose,
  type RequestOptions,
  type TestAgent,
} from '../support/factories.ts';
import { provocations } from '../provocations.ts';
import { TASKS } from '../features/tasks/setup.ts';
import {
  ask,
  createWorld,
  credentialFor,
  headerOf,
  registry,
  type World,
  worldsOf,
} from './fixture.ts';

/**
 * Every code that an operation declares is provoked on it. One without a way here fails; so does, in every test of the suite,
 * an operation that answers with a code which it does not declare (kernel/execute.ts).
 */
const app = await startApp(
  { ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { jobsByHand: true },
);
const f = factories(app);
const changes = await watchChanges(app);
const worldFor = worldsOf(f);
const world = await createWorld(f);
// Nothing runs by itself here, and there must be something in the log.
await app.app.jobs.runDue();
await f.grant(world.owner, 'credentials');
const withoutForum = (await f.scopedKey(world.owner, ['credentials'])).apiKey as string;

/** The same installation, with next to no calls left to anyone. */
const tight = await app.another({
  RATE_LIMITS: 'reads=1/d,writes=1/d,registrations=1/d,searches=1/d,anonymousReports=1/d',
});

/** The same, without its optional capabilities. */
const off = await app.another(everythingOff);

/** A service whose tables are gone. */
const broken = await startApp(await everythingOn());
await broken.app.env.db.run(
  sql`DROP TABLE agents, api_keys, guest_contexts, guest_entries, threads, messages, reports, audit_log, campaigns, ledger_transactions CASCADE`,
);

/** A service whose database is nowhere. */
const settings = readSettings({
  ...TASKS,
  ...CAMPAIGNS,
  PORT: '0',
  REALM: 'test',
  ADMIN_KEYS: ADMIN_KEY,
});
const nowhere = { host: '/nowhere', port: 1, user: 'x', database: 'x' };
const lonely = createApp(settings, {
  connection: nowhere,
  log: pino({ level: 'silent' }),
  checkOutputs: true,
});
const lonelyUrl = await lonely.listen();
afterAll(() => lonely[Symbol.asyncDispose]());

/** A record of this key is there when it is written and gone when it is looked for, as at the end of its seven days. */
const RACING = '00000000-0000-4000-8000-000000000000';
await app.app.env.db.run(sql`CREATE FUNCTION race() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION USING ERRCODE = '23505', CONSTRAINT = 'idempotency_records_pkey'; END $$`);
await app.app.env.db.run(sql`CREATE TRIGGER race BEFORE INSERT ON idempotency_records FOR EACH ROW
  WHEN (NEW.key IN ('00000000-0000-4000-8000-000000000000', encode(sha256('00000000-0000-4000-8000-000000000000'), 'hex'))) EXECUTE FUNCTION race()`);

type Any = AnyOperation;
type Refused = () => Promise<Answer<Loose>>;

/** Prepares a situation and returns the call that must be refused in it. */
type Way = (operation: Any) => Promise<Refused>;

/** The call of the operation that would succeed, with something that spoils it. */
const spoiled =
  (more: (operation: Any) => RequestOptions, url = app.url): Way =>
  async (operation) => {
    const { input, as } = await validCall(operation.name, world, f);
    return () => ask(url, operation, input, { ...as, ...more(operation) });
  };
const header = (name: string, value: string) => spoiled(() => ({ headers: { [name]: value } }));

const secondKeys = new Map<string, string>();

/** A key with this scope that no valid call uses. An agent may have only so many. */
async function secondKey(agent: TestAgent, scope: string): Promise<string> {
  const name = `${agent.id} ${scope}`;
  await f.keyWith(agent, scope);
  const key = secondKeys.get(name) ?? ((await f.scopedKey(agent, [scope])).apiKey as string);
  secondKeys.set(name, key);
  return key;
}

/** The same call a second time, under the same idempotency key: by another key of the agent, or with another input. */
const again =
  (otherInput: boolean): Way =>
  async (operation) => {
    const own: World = await worldFor(operation.name);
    const second = await secondKey(own.owner, operation.scope ?? 'forum');
    const { input, as, other } = await validCall(operation.name, own, f);
    const idem = randomUUID();
    const first = operation.name === 'registerAgent' && !otherInput ? { key: own.owner.key } : as;
    expect((await ask(app.url, operation, input, { ...first, idem })).status).toBe(200);
    const caller =
      otherInput && other ? as : { ...as, ...(operation.auth !== 'admin' && { key: second }) };
    return () =>
      ask(app.url, operation, otherInput ? (other ?? { ...input, body: {} }) : input, {
        ...caller,
        idem,
      });
  };

/** The call as an agent whose key has the scope, but who has not the capability any more. */
const without =
  (take: (agent: TestAgent, scope: string) => Promise<unknown>): Way =>
  async (operation) => {
    const { input } = await validCall(operation.name, world, f);
    const agent = await f.agent();
    const scope = operation.scope ?? 'forum';
    const key = await f.keyWith(agent, scope);
    await take(agent, scope);
    return () => ask(app.url, operation, input, { key });
  };

const ways: Partial<Record<ErrorCode, Way>> = {
  invalid_request: async (operation) => {
    const { input, as } = await validCall(operation.name, world, f);
    return () => ask(app.url, operation, { ...input, query: { nonsense: 1 } }, as);
  },
  unauthenticated: spoiled(() => ({ key: undefined, admin: false, context: undefined })),
  invalid_credential: spoiled((operation) => ({ headers: { [headerOf(operation)]: 'wrong' } })),
  agent_blocked: spoiled(() => ({ key: world.blocked.key, admin: false })),
  capability_disabled: spoiled(() => ({}), off.url),
  insufficient_scope: spoiled(({ scope }) => ({
    key: scope === 'credentials' ? world.owner.key : withoutForum,
  })),
  capability_revoked: without((agent, scope) => f.grant(agent, scope, 'revoked')),
  // No key has a scope before its capability was active: only a hand in the database brings this about.
  capability_not_active: without((agent, scope) =>
    app.app.env.db.run(
      sql`DELETE FROM capability_states WHERE agent_id = ${agent.id} AND capability = ${scope}`,
    ),
  ),
  payload_too_large: spoiled(() => ({ raw: JSON.stringify({ body: 'x'.repeat(512 * 1024) }) })),
  unsupported_media_type: spoiled(({ kind }) => ({
    raw: 'name=x',
    headers: {
      'content-type': `application/${kind === 'form' ? 'json' : 'x-www-form-urlencoded'}`,
    },
  })),
  idempotency_key_required: spoiled(() => ({ idem: false })),
  idempotency_key_invalid: header('idempotency-key', 'not one word'),
  idempotency_in_progress: spoiled(() => ({ idem: RACING })),
  idempotency_key_reused: again(true),
  idempotency_replay_sealed: again(false),
  rate_limited: async (operation) => {
    const { input } = await validCall(operation.name, world, f);
    // Administrators are not limited; who guesses their keys is.
    const { auth } = operation;
    const as =
      auth === 'admin'
        ? { admin: 'wrong' }
        : auth === 'public'
          ? {}
          : credentialFor(operation, (await f.agent()).key);
    await ask(tight.url, operation, input, as);
    return () => ask(tight.url, operation, input, as);
  },
  internal_error: spoiled(
    ({ auth }) => (auth === 'admin' ? {} : { key: world.owner.key }),
    broken.url,
  ),
  unavailable: spoiled(({ auth }) => (auth === 'admin' ? {} : { key: world.owner.key }), lonelyUrl),
};

/** What the operation itself can answer wins over what the pipeline can. */
async function wayTo(operation: Any, code: ErrorCode): Promise<Refused> {
  const own = provocations[operation.name]?.[code];
  if (own) {
    const { input, as, url = app.url } = await own({ app, f, world });
    return () => ask(url, operation, input, as);
  }
  const way = ways[code];
  if (!way)
    throw new Error(
      `${operation.name} declares ${code}: say in test/provocations.ts how it comes about.`,
    );
  return way(operation);
}

describe('what an operation declares', () => {
  const cases = registry.flatMap((operation) =>
    codesOf(operation).map((code) => ({ operation, name: operation.name, code })),
  );

  it.for(cases)(
    '[error.declared] [error.nothing-half-done] [error.problem-json] $name answers $code',
    async ({ operation, code }) => {
      const call = await wayTo(operation, code);
      const before = await changes.count();
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
      expect([status, headers.get('content-type')]).toEqual([
        errorTable[code].status,
        'application/problem+json; charset=utf-8',
      ]);
      expect(headers.get('cache-control')).toBe('private, no-store');
      const waits = ['rate_limited', 'unavailable', 'idempotency_in_progress'].includes(code);
      expect(headers.get('retry-after')).toEqual(
        waits ? expect.stringMatching(/^[1-9]\d*$/) : null,
      );
      expect(await changes.count()).toBe(before);
    },
  );

  it('[error.declared] has no provocation of a code that nobody declares', () => {
    const declared = new Set(cases.map(({ name, code }) => `${name} ${code}`));
    const provoked = Object.entries(provocations).flatMap(([name, codes]) =>
      Object.keys(codes).map((code) => `${name} ${code}`),
    );
    // Made for all threads alike, and not possible on these.
    const ofThreads = [
      'getThread',
      'getThreadMarkdown',
      'getThreadFeed',
      'showThread',
      'subscribeThread',
      'unsubscribeThread',
      'listMessages',
      'setSummary',
    ];
    const spare = ofThreads.map((name) => `${name} membership_required`);
    expect(provoked.filter((one) => !declared.has(one) && !spare.includes(one))).toEqual([
      'getThread forbidden',
    ]);
  });
});
