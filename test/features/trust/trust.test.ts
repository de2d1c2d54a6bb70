import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, together } from '../../support/factories.ts';
import { outside, RECORDS, recorders } from '../interactions/setup.ts';
import { stored } from '../../operations/fixture.ts';

const app = await startApp(RECORDS);
const f = factories(app);
const r = recorders(f);
const [ada, bob] = [await f.agent(), await f.agent()];
for (const agent of [ada, bob]) await f.keyWith(agent, 'interactions');
const target = { agent: bob.handle };

describe('a trust record', () => {
  it('[trust.record] [trust.row] is noted about an agent or something outside, in a context', async () => {
    const context = 'first-record';
    const { status, body } = await r.trust(ada, {
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
    expect([status, body]).toEqual([
      200,
      { ...row, version: 1, state: 'current', createdAt: new Date(app.clock()).toISOString() },
    ]);
    const { body: other } = await r.trust(ada, {
      target: outside('https://github.com/Example/Parser.git'),
      level: 2,
    });
    expect(other).toMatchObject({
      target: { agent: null, ...outside() },
      context: 'general',
      level: 2,
      note: null,
    });
    expect((await r.myTrust(ada)).map(({ id }: Loose) => id)).toEqual([other.id, body.id]);
    expect(await r.myTrust(bob)).toEqual([]);
  });

  it('[trust.one-current] there is one current record for author, target and context, in any spelling', async () => {
    const context = 'one-current';
    const about = outside('github.com/example/one');
    const { body } = await r.trust(ada, { target: about, context });
    for (const spelling of ['github.com/example/one', 'git@github.com:Example/One.git'])
      expect(await r.trust(ada, { target: outside(spelling), context })).toMatchObject(
        refused(409, 'already_exists', { existingId: body.id }),
      );
    for (const more of [
      { context: 'another' },
      { target: outside('github.com/example/two'), context },
      { target, context },
    ])
      expect((await r.trust(ada, { target: about, ...more })).status).toBe(200);
    expect((await r.trust(bob, { target: about, context })).status).toBe(200);
  });

  it('[trust.replace] [trust.history] is replaced with its version, and history shows what it was', async () => {
    const carol = await f.agent();
    const { body } = await r.trust(carol, { target, level: 1, note: 'So far' });
    app.clock.advance(5);
    expect(await r.trust(carol, { target, level: 2, expectedVersion: 2 })).toMatchObject(
      refused(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(await r.trust(carol, { target: outside(), level: 2, expectedVersion: 1 })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect((await r.trust(carol, { target, level: 2, expectedVersion: 1 })).body).toMatchObject({
      id: body.id,
      version: 2,
      level: 2,
      note: null,
      state: 'current',
    });
    app.clock.advance(5);
    const revoked = await r.trust(carol, {
      target,
      level: undefined,
      expectedVersion: 2,
      state: 'revoked',
    });
    expect(revoked.body).toMatchObject({ id: body.id, version: 3, level: 2, state: 'revoked' });
    const seen = async (query: string) =>
      (await r.myTrust(carol, query)).map(({ version, state, level, note }: Loose) => [
        version,
        state,
        level,
        note,
      ]);
    expect(await seen('')).toEqual([[3, 'revoked', 2, null]]);
    expect(await seen('?history=true')).toEqual([
      [3, 'revoked', 2, null],
      [2, 'replaced', 2, null],
      [1, 'replaced', 1, 'So far'],
    ]);
    expect(await seen('?history=true&limit=1&offset=2')).toEqual([[1, 'replaced', 1, 'So far']]);
    app.clock.advance(5);
    expect(await r.trust(carol, { target, expectedVersion: 3 })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect((await r.trust(carol, { target, level: 0 })).body).toMatchObject({
      version: 1,
      state: 'current',
      level: 0,
    });
    expect((await seen('')).map(([, state]: string[]) => state)).toEqual(['current', 'revoked']);
  });

  it('[trust.values] has a level from -2 to 2 and a target that is somebody else', async () => {
    const before = await stored(app);
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
        await r.trust(ada, { target, context: 'values', ...body }),
        JSON.stringify(body),
      ).toMatchObject(refused(400, 'invalid_request'));
    expect(await r.trust(ada, { target: { agent: 'nobody-at-all' } })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await r.trust(ada, { target, context: 'values', state: 'revoked' })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await stored(app)).toEqual(before);
  });

  it('[trust.one-current] [record.race] of two at the same moment one wins, on any nodes', async () => {
    const other = recorders(factories(await app.another()));
    const on = (index: number) => (index % 2 ? other : r);
    const made = await together(6, (index) =>
      on(index).trust(ada, { target, context: 'race', level: index % 3 }),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const { id } = made.find(({ status }) => status === 200)?.body ?? {};
    for (const { status, body } of made)
      if (status !== 200) expect(body).toMatchObject({ code: 'already_exists', existingId: id });
    const replaced = await together(6, (index) =>
      on(index).trust(ada, {
        target,
        context: 'race',
        level: 1,
        expectedVersion: 1,
        ...(index % 2 && { state: 'revoked' }),
      }),
    );
    // Whoever comes when it is revoked finds none.
    expect(replaced.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replaced)
      if (status !== 200) expect(['version_conflict', 'not_found']).toContain(body.code);
  });

  it('[trust.rights] needs the scope interactions, its switch, and that of interactions', async () => {
    expect(
      await f.send('POST', '/api/v1/trust', { key: ada.key, body: { target, level: 1 } }),
    ).toMatchObject(refused(403, 'insufficient_scope', { requiredScope: 'interactions' }));
    const off = recorders(factories(await app.another({ TRUST_ENABLED: 'off' })));
    expect(await off.trust(ada, { target })).toMatchObject(
      refused(403, 'capability_disabled', { capability: 'trust' }),
    );
    expect(() => readSettings({ TRUST_ENABLED: 'on' })).toThrow(
      'TRUST_ENABLED needs INTERACTIONS_ENABLED=on as well.',
    );
    expect(readSettings({ IDENTITY_CLAIMS_ENABLED: 'on' }).features).toMatchObject({
      identityClaims: true,
      interactions: false,
    });
  });

  it('[trust.no-subject] names nothing that others could find, and what becomes public later looks new', async () => {
    await r.trust(ada, { target: outside('quiet.example', 'domain'), context: 'quiet' });
    for (const as of [ada, bob])
      expect(
        await f.send('GET', '/api/v1/subjects?type=domain&value=quiet.example', { key: as.key }),
      ).toMatchObject(refused(404, 'not_found'));
    app.clock.advance(3_600_000);
    const { subjectId } = await r.record(bob, outside('quiet.example', 'domain'));
    expect(Number.parseInt(subjectId.replaceAll('-', '').slice(0, 12), 16)).toBe(app.clock());
  });
});
