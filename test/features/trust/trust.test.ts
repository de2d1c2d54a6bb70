import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { externalSubject, interactionHelpers, interactionSettings } from '../interactions/setup.ts';

const app = await startApp(interactionSettings);
const f = factories(app);
const r = interactionHelpers(f);
const ada = await f.createAgent();
const bob = await f.createAgent();
for (const agent of [ada, bob]) await f.getKeyWithScope(agent, 'interactions');
const target = { agent: bob.handle };

describe('recordTrust', () => {
  it('[trust.record] [trust.row] stores a level about a target in a context', async () => {
    const context = 'first-record';
    const { status, body } = await r.recordTrust(ada, {
      target,
      context,
      level: -2,
      note: 'Broke a promise.',
    });
    const row = {
      id: body.id,
      target: { agent: { id: bob.id, handle: bob.handle }, subject: null },
      context,
      level: -2,
      note: 'Broke a promise.',
    };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...row,
        version: 1,
        state: 'current',
        createdAt: new Date(app.clock()).toISOString(),
      },
    });
    const { body: other } = await r.recordTrust(ada, {
      target: externalSubject('https://github.com/Example/Parser.git'),
      level: 2,
    });
    expect(other).toMatchObject({
      target: { agent: null, ...externalSubject() },
      context: 'general',
      level: 2,
      note: null,
    });
    expect((await r.listMyTrust(ada)).map(({ id }: Json) => id)).toEqual([other.id, body.id]);
    expect(await r.listMyTrust(bob)).toEqual([]);
  });

  it('[trust.one-current] keeps one current record for any spelling', async () => {
    const context = 'one-current';
    const about = externalSubject('github.com/example/one');
    const { body } = await r.recordTrust(ada, { target: about, context });
    for (const spelling of ['github.com/example/one', 'git@github.com:Example/One.git'])
      expect(
        await r.recordTrust(ada, { target: externalSubject(spelling), context }),
      ).toMatchObject(buildProblem(409, 'already_exists', { existingId: body.id }));
    for (const more of [
      { context: 'another' },
      { target: externalSubject('github.com/example/two'), context },
      { target, context },
    ])
      expect((await r.recordTrust(ada, { target: about, ...more })).status).toBe(200);
    expect((await r.recordTrust(bob, { target: about, context })).status).toBe(200);
  });

  it('[trust.replace] [trust.history] replaces a version and keeps history', async () => {
    const carol = await f.createAgent();
    const { body } = await r.recordTrust(carol, { target, level: 1, note: 'So far' });
    app.clock.advance(5);
    expect(await r.recordTrust(carol, { target, level: 2, expectedVersion: 2 })).toMatchObject(
      buildProblem(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(
      await r.recordTrust(carol, { target: externalSubject(), level: 2, expectedVersion: 1 }),
    ).toMatchObject(buildProblem(404, 'not_found'));
    expect(
      (await r.recordTrust(carol, { target, level: 2, expectedVersion: 1 })).body,
    ).toMatchObject({
      id: body.id,
      version: 2,
      level: 2,
      note: null,
      state: 'current',
    });
    app.clock.advance(5);
    const revoked = await r.recordTrust(carol, {
      target,
      level: undefined,
      expectedVersion: 2,
      state: 'revoked',
    });
    expect(revoked.body).toMatchObject({ id: body.id, version: 3, level: 2, state: 'revoked' });
    const listTrust = async (query: string) =>
      (await r.listMyTrust(carol, query)).map(({ version, state, level, note }: Json) => [
        version,
        state,
        level,
        note,
      ]);
    expect(await listTrust('')).toEqual([[3, 'revoked', 2, null]]);
    expect(await listTrust('?history=true')).toEqual([
      [3, 'revoked', 2, null],
      [2, 'replaced', 2, null],
      [1, 'replaced', 1, 'So far'],
    ]);
    expect(await listTrust('?history=true&limit=1&offset=2')).toEqual([
      [1, 'replaced', 1, 'So far'],
    ]);
    app.clock.advance(5);
    expect(await r.recordTrust(carol, { target, expectedVersion: 3 })).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect((await r.recordTrust(carol, { target, level: 0 })).body).toMatchObject({
      version: 1,
      state: 'current',
      level: 0,
    });
    expect((await listTrust('')).map(([, state]: string[]) => state)).toEqual([
      'current',
      'revoked',
    ]);
  });

  it('[trust.values] accepts a level from -2 to 2 and a target other than the author', async () => {
    const before = await digestTables(app);
    for (const body of [
      { level: 3 },
      { level: -3 },
      { level: 0.5 },
      { level: '1' },
      { level: null },
      { note: 'x'.repeat(1001) },
      { context: 'A b' },
      { state: 'replaced' },
      { target: {} },
      { target: { agent: ada.handle } },
      { expectedVersion: 0 },
    ])
      expect(
        await r.recordTrust(ada, { target, context: 'values', ...body }),
        JSON.stringify(body),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await r.recordTrust(ada, { target: { agent: 'nobody-at-all' } })).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await r.recordTrust(ada, { target, context: 'values', state: 'revoked' })).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await digestTables(app)).toEqual(before);
  });

  it('[trust.one-current] [record.race] has one winner when two race', async () => {
    const other = interactionHelpers(factories(await app.startNode()));
    const pickNode = (index: number) => (index % 2 ? other : r);
    const made = await runConcurrently(6, (index) =>
      pickNode(index).recordTrust(ada, { target, context: 'race', level: index % 3 }),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const { id } = made.find(({ status }) => status === 200)?.body ?? {};
    for (const { status, body } of made)
      if (status !== 200) expect(body).toMatchObject({ code: 'already_exists', existingId: id });
    const replaced = await runConcurrently(6, (index) =>
      pickNode(index).recordTrust(ada, {
        target,
        context: 'race',
        level: 1,
        expectedVersion: 1,
        ...(index % 2 && { state: 'revoked' }),
      }),
    );
    // A call that arrives after the revocation finds no record.
    expect(replaced.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replaced)
      if (status !== 200) expect(['version_conflict', 'not_found']).toContain(body.code);
  });

  it('[trust.rights] needs the scope interactions and both switches', async () => {
    expect(
      await f.send('POST', '/api/v1/trust', { key: ada.key, body: { target, level: 1 } }),
    ).toMatchObject(buildProblem(403, 'insufficient_scope', { requiredScope: 'interactions' }));
    const off = interactionHelpers(factories(await app.startNode({ TRUST_ENABLED: 'off' })));
    expect(await off.recordTrust(ada, { target })).toMatchObject(
      buildProblem(403, 'capability_disabled', { capability: 'trust' }),
    );
    expect(() => readSettings({ TRUST_ENABLED: 'on' })).toThrow(
      'TRUST_ENABLED needs INTERACTIONS_ENABLED=on as well.',
    );
    expect(readSettings({ IDENTITY_CLAIMS_ENABLED: 'on' }).features).toMatchObject({
      identityClaims: true,
      interactions: false,
    });
  });

  it('[trust.no-subject] reveals no subject, which looks new once public', async () => {
    await r.recordTrust(ada, {
      target: externalSubject('quiet.example', 'domain'),
      context: 'quiet',
    });
    for (const as of [ada, bob])
      expect(
        await f.send('GET', '/api/v1/subjects?type=domain&value=quiet.example', { key: as.key }),
      ).toMatchObject(buildProblem(404, 'not_found'));
    app.clock.advance(3_600_000);
    const { subjectId } = await r.recordInteraction(
      bob,
      externalSubject('quiet.example', 'domain'),
    );
    expect((await f.ok('GET', `/api/v1/subjects/${subjectId}`)).createdAt).toBe(
      new Date(app.clock()).toISOString(),
    );
  });
});
