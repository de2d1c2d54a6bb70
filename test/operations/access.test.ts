import { describe, expect, it } from 'vitest';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { createContextKey, factories, type RequestOptions } from '../support/factories.ts';
import { getCase } from './cases.ts';
import {
  callOperation,
  createFixture,
  type Fixture,
  getUsualScope,
  type OperationInput,
  registry,
  toOutcomeCode,
} from './fixture.ts';
import { createFixturePool } from './fixture-pool.ts';
import { type AccessRow, type Answers, type Caller, callers } from './operation-case.ts';

/** The key of the guest's context. */
const guestKey = createContextKey();

const isAnswers = (access: Answers | readonly AccessRow[]): access is Answers =>
  !Array.isArray(access);
const rows = registry.flatMap((operation) => {
  const { access } = getCase(operation.name);
  const listed = isAnswers(access) ? [{ expected: access }] : access;
  return listed.map((row: AccessRow) => ({
    ...row,
    operation,
    name: operation.name,
    on: row.on ?? '',
  }));
});

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
/** Reads leave it as it is. */
const sharedFixture = await createFixture(f);
const getFixture = createFixturePool(f);

/** A credential with the scope that the operation asks for; a blocked agent gets no more keys. */
const getCredential = async (
  fixture: Fixture,
  caller: Caller,
  scope: string | undefined,
): Promise<RequestOptions> => {
  if (caller === 'anonymous') return {};
  if (caller === 'guest') return { context: guestKey };
  if (caller === 'administrator') return { admin: true };
  if (caller === 'blocked') return { key: fixture.blocked.key };
  return { key: await f.getKeyWithScope(fixture[caller], scope) };
};

/** How the membership of a thread's author ended, and whose answers it gets from then on. */
const formerAuthors = [
  { exit: 'left', like: 'outsider' },
  { exit: 'was removed', like: 'removed' },
] as const;
const unfollow = { left: 'ok', 'was removed': 'ok' };
/**
 * Where the answer to a former author differs: it is told what it lacks, and may end its own
 * subscription.
 */
const formerAuthorAnswers: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
> = {
  setSummary: {
    'public thread, public room': {
      left: 'membership_required',
      'was removed': 'removed_from_room',
    },
  },
  unsubscribeThread: {
    'private thread, public room': unfollow,
    'public thread, private room': unfollow,
    'private thread, private room': unfollow,
  },
};
const threadNames = {
  'public thread, public room': ['publicRoom', 'public'],
  'private thread, public room': ['publicRoom', 'private'],
  'public thread, private room': ['privateRoom', 'public'],
  'private thread, private room': ['privateRoom', 'private'],
} as const;
const threadRows = rows.filter(
  ({ operation, on }) => /^\/api\/v1\/threads\/\{id\}/.test(operation.path) && on in threadNames,
);

/** Calls about a message or a file of the caller, with the kind of thread that it is in. */
const ownContentRows = rows
  .filter(({ operation }) => /^\/api\/v1\/(messages|files)\/\{id\}/.test(operation.path))
  .map((row) => ({
    ...row,
    place: (Object.keys(threadNames) as (keyof typeof threadNames)[]).find((name) =>
      row.on.endsWith(name),
    ),
  }));
/** Where somebody who left or was removed may do with its own words what others may not. */
const ownContentAnswers: Readonly<
  Record<string, (place: string) => Readonly<Record<string, string>> | undefined>
> = {
  removeMessage: () => ({ left: 'ok', 'was removed': 'ok' }),
  removeFile: () => ({ left: 'ok', 'was removed': 'ok' }),
  attachFile: (place) =>
    place === 'public thread, public room'
      ? { left: 'membership_required', 'was removed': 'removed_from_room' }
      : undefined,
};

describe('who may do what', () => {
  it('[access.table] [registry.generic-tests] every kind of room and thread has its row', () => {
    for (const { name, path } of registry.filter(({ path }) =>
      /^\/api\/v1\/(rooms|threads)\/\{id\}/.test(path),
    )) {
      const places = rows.filter((row) => row.name === name);
      expect(places.length, `${name} on every kind of ${path}`).toBeGreaterThanOrEqual(
        path.includes('/threads/{id}') ? 4 : 2,
      );
    }
  });

  it.for(rows)('[access.table] $name $on', async ({ name, operation, input, expected }) => {
    const fixture = isMutation(operation) ? await getFixture(name) : sharedFixture;
    const setup = { app, f, fixture, guestKey };
    const answers: Partial<Record<Caller, string>> = {};
    let valid: OperationInput | undefined;
    for (const caller of callers) {
      valid ??= input ? undefined : (await getCase(name).call(setup)).input;
      const sent = valid ?? (await input?.({ ...setup, caller })) ?? {};
      const as = await getCredential(fixture, caller, getUsualScope(operation));
      const answer = toOutcomeCode(await callOperation(app.url, operation, sent, as));
      answers[caller] = answer;
      // A mutation that succeeded has used its input up.
      if (answer === 'ok' && isMutation(operation)) valid = undefined;
    }
    expect(answers).toEqual(expected);
  });

  it.for(threadRows)(
    '[access.former-author] $name $on by an author that is no member any more',
    async ({ name, operation, on, input, expected }) => {
      const fixture = await getFixture(name);
      const [room, visibility] = threadNames[on as keyof typeof threadNames];
      for (const { exit, like } of formerAuthors) {
        const author = await f.createAgent();
        await f.addMember(fixture.owner, fixture[room], author);
        const id = await f.createThread(author, fixture[room], { visibility });
        const by = exit === 'left' ? author : fixture.owner;
        await f.ok('DELETE', `/api/v1/rooms/${fixture[room]}/members/${author.id}`, {
          key: by.key,
        });
        const row = await input?.({ app, f, fixture, guestKey, caller: like });
        const sent = { ...row, params: { ...row?.params, id } };
        const answer = await callOperation(app.url, operation, sent, { key: author.key });
        expect({ exit, code: toOutcomeCode(answer) }).toEqual({
          exit,
          code: formerAuthorAnswers[name]?.[on]?.[exit] ?? expected[like],
        });
      }
    },
  );

  it.for(ownContentRows)(
    '[access.former-author] $name $on of an author that is no member any more',
    async ({ name, operation, place, input, expected }) => {
      expect(place).toBeDefined();
      const fixture = await getFixture(name);
      const [room, visibility] = threadNames[place as keyof typeof threadNames];
      for (const { exit, like } of formerAuthors) {
        const author = await f.createAgent();
        await f.addMember(fixture.owner, fixture[room], author);
        const thread = await f.createThread(author, fixture[room], { visibility });
        const message = await f.postMessage(author, thread, 'My own words');
        const file = await f.attachFile(author, message.id);
        const by = exit === 'left' ? author : fixture.owner;
        await f.ok('DELETE', `/api/v1/rooms/${fixture[room]}/members/${author.id}`, {
          key: by.key,
        });
        const id = operation.path.includes('/files/{id}') ? file.id : message.id;
        const row = await input?.({ app, f, fixture, guestKey, caller: like });
        const sent = { ...row, params: { ...row?.params, id } };
        const answer = await callOperation(app.url, operation, sent, { key: author.key });
        expect({ exit, code: toOutcomeCode(answer) }).toEqual({
          exit,
          code: ownContentAnswers[name]?.(place ?? '')?.[exit] ?? expected[like],
        });
      }
    },
  );
});
