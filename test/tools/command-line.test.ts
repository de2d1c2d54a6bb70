import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { examineNode } from '../../src/cli/doctor/examine-machine.ts';
import { latestMigration } from '../../src/db/migrate.ts';
import { createDatabase } from '../support/database.ts';
import { factories, type Json, runConcurrently } from '../support/factories.ts';
import {
  type CommandResult,
  createFolder,
  query,
  runCommand,
  startService,
  toDatabaseUrl,
} from '../support/service.ts';

const connection = await createDatabase(inject('server'));
const DATABASE_URL = toDatabaseUrl(connection);

/** Expects a refused command to print one sentence without a stack and to exit with 1. */
function expectOneSentence({ code, out, err }: CommandResult, sentence: string | RegExp): void {
  expect(err).toMatch(sentence);
  expect(err.trim().split('\n').length, err).toBe(1);
  expect({ code, out }).toEqual({ code: 1, out: '' });
}

describe('migrate', () => {
  it('[cli.migrate] creates the schema once when several run, and may be repeated', async () => {
    await query(connection, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const ended = await runConcurrently(3, () => runCommand('migrate', { DATABASE_URL }));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ended.filter(({ out }) => out.startsWith('Ran ')).length).toBe(1);
    expect(await query(connection, 'SELECT max(id) AS id FROM migrations')).toEqual([
      { id: latestMigration },
    ]);
    const id = '019ca945-0a00-7000-8190-c620d96f5c6c';
    await query(
      connection,
      `INSERT INTO agents (id, handle, created_at, last_active_on)
       VALUES ('${id}', 'kept', now(), now());
      INSERT INTO event_heads (agent_id) VALUES ('${id}')`,
    );
    expect(await runCommand('migrate', { DATABASE_URL })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to do'),
    });
    expect(await query(connection, 'SELECT handle FROM agents')).toEqual([{ handle: 'kept' }]);
  });

  it('[cli.migrate] and serve reject a database migrated by a newer version', async () => {
    await query(
      connection,
      `INSERT INTO migrations (id, name) VALUES (${latestMigration + 1}, 'newer')`,
    );
    const ended = await Promise.all(
      ['migrate', 'serve'].map((name) => runCommand(name, { DATABASE_URL })),
    );
    await query(connection, `DELETE FROM migrations WHERE id = ${latestMigration + 1}`);
    for (const one of ended)
      expectOneSentence(one, `The database is at migration ${latestMigration + 1}`);
  });
});

describe('a data folder without an installation', () => {
  it.each([
    'admin-key create --name ada',
    'admin-key list',
    'registration-token list',
    'signing-key rotate',
    'ledger audit',
    'reputation check',
  ])('[cli.same-installation] [newcomer.breakage-4] stays as it is with %s', async (words) => {
    const DATA_DIR = join(createFolder(), 'data');
    expectOneSentence(
      await runCommand(words, { DATA_DIR }),
      `There is no installation in the data folder ${DATA_DIR}. Start the service once`,
    );
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('[cli.data-folder-impossible] [newcomer.breakage-13] is refused by serve', async () => {
    const DATA_DIR = join(createFolder(), 'a-file', 'data');
    writeFileSync(dirname(DATA_DIR), '');
    for (const impossible of [DATA_DIR, '/proc/stoa/data'])
      expectOneSentence(
        await runCommand('serve', { DATA_DIR: impossible }),
        `Stoa cannot create or enter its DATA_DIR ${impossible} (`,
      );
  });
});

describe('registration-token', () => {
  it('[registration.token] [cli.registration-token] is made, listed and revoked', async () => {
    const service = await startService({ DATABASE_URL, REGISTRATION: 'token' });
    const f = factories(service);
    const run = (words: string) =>
      runCommand(`registration-token ${words}`, { DATABASE_URL, REGISTRATION: 'token' });
    const register = (handle: string, registrationToken: string) =>
      f.sendForOutcome('POST', '/api/v1/agents', { body: { handle, registrationToken } });

    const made = await run('create --uses 2 --expires 2999-01-31 --note Guests');
    expect({ code: made.code, out: made.out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^stoa_reg_[A-Za-z0-9_-]{50}\n$/),
    });
    expect(await register('first-guest', made.out.trim())).toBe('200');
    const listed = await run('list');
    expect(listed.out).toMatch(
      /^[0-9a-f-]{36} {2}active {2}1 of 2 {2}2999-01-31T00:00:00.000Z {2}Guests\n$/,
    );
    expect((await run(`revoke ${listed.out.slice(0, 36)}`)).code).toBe(0);
    expect(await register('second-guest', made.out.trim())).toBe('410 gone');
    expect((await run('list')).out).toContain('revoked');
    expectOneSentence(await run('revoke 1'), 'There is no registration token 1');
    expectOneSentence(await run('create --uses 0'), '--uses must be a whole number');
    expectOneSentence(await run('create --expires yesterday'), '--expires must be a future date');
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

describe('admin-key', () => {
  it(
    '[cli.admin-key-create] [cli.admin-key-revoke] [audit.every-act] ' +
      'creates, lists and revokes keys of a running service',
    async () => {
      const service = await startService({ DATABASE_URL });
      const f = factories(service);
      const ada = await f.createAgent('ada');
      const callWithKey = (key: string) =>
        f.sendForOutcome('PUT', `/api/v1/admin/agents/${ada.id}/synthetic`, {
          admin: key,
          body: { synthetic: true },
        });
      const runAdminKey = (words: string) => runCommand(`admin-key ${words}`, { DATABASE_URL });

      const [first, second] = (await runConcurrently(2, (index) =>
        runAdminKey(`create --name person-${index}`),
      )) as [CommandResult, CommandResult];
      for (const { code, out } of [first, second]) {
        expect({ code, out }).toEqual({
          code: 0,
          out: expect.stringMatching(/^stoa_admin_[A-Za-z0-9_-]{43}_[A-Za-z0-9_-]{6}\n$/),
        });
        expect(await callWithKey(out.trim())).toBe('200');
      }
      const stored = await query(
        connection,
        'SELECT k::text AS row, id, prefix FROM admin_keys k ORDER BY name',
      );
      const listed = await runAdminKey('list');
      for (const { out } of [first, second]) {
        for (const { row } of stored) expect(row).not.toContain(out.trim().slice(20));
        expect(listed.out).not.toContain(out.trim().slice(20));
      }
      expect(
        listed.out
          .split('\n')
          .filter((line) => /^[0-9a-f-]{36} .* active .*person-[01]$/.test(line)).length,
      ).toBe(2);

      expect((await runAdminKey(`revoke ${stored[0].id}`)).code).toBe(0);
      expect({
        revoked: await callWithKey(first.out.trim()),
        kept: await callWithKey(second.out.trim()),
      }).toEqual({ revoked: '401 invalid_credential', kept: '200' });
      const [after, again] = (await Promise.all(
        ['list', `revoke ${stored[0].id}`].map(runAdminKey),
      )) as [CommandResult, CommandResult];
      expect(after.out).toMatch(new RegExp(`^${stored[0].id}.* revoked `, 'm'));
      expectOneSentence(again, 'There is no active administrator key');

      const acts = await query(
        connection,
        'SELECT action, administrator, target_id, facts FROM audit_log WHERE target_type = ' +
          `'admin-key' ORDER BY id`,
      );
      expect(acts.map(({ action, facts }) => `${action} ${facts.name}`).sort()).toEqual([
        'admin-key.created person-0',
        'admin-key.created person-1',
        'admin-key.revoked person-0',
      ]);
      for (const { administrator } of acts) expect(administrator).toMatch(/^command line: \S+/);
      expect(acts.at(-1)).toMatchObject({ action: 'admin-key.revoked', target_id: stored[0].id });
      expect(await service.end('SIGTERM')).toBe(0);
    },
  );
});

describe('doctor', () => {
  const listWrongLines = ({ out }: CommandResult) =>
    out.split('\n').filter((line) => line.startsWith('WRONG'));

  it('[cli.doctor] finds nothing wrong in a healthy installation', async () => {
    const { code, out, err } = await runCommand('doctor', { DATABASE_URL });
    expect(out.split('\n').filter((line) => line !== '' && !line.startsWith('right  '))).toEqual([
      'Nothing is wrong.',
    ]);
    for (const word of [
      'Node.js',
      'setting',
      'DATABASE_URL',
      'PostgreSQL',
      'fsync',
      'clocks',
      'migration',
    ])
      expect(out).toContain(word);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('[cli.doctor-json] prints the same as one object', async () => {
    const env = { DATABASE_URL, REALM: 'prod' };
    const [said, printed] = (await Promise.all(
      ['doctor', 'doctor --json'].map((words) => runCommand(words, env)),
    )) as [CommandResult, CommandResult];
    const { ok, findings } = JSON.parse(printed.out) as Json;
    expect([printed.code, ok]).toEqual([1, false]);
    expect(findings.filter((finding: Json) => !finding.ok)).toEqual([
      { ok: false, text: expect.stringContaining('are not encrypted') },
    ]);
    expect(findings.length).toBe(said.out.trim().split('\n').length - 1);
  });

  it('[cli.doctor-sessions] refuses an engine where locks and notifications are void', async () => {
    const own = await createDatabase(inject('server'));
    const OWN_URL = toDatabaseUrl(own);
    const healthy = await runCommand('doctor', { DATABASE_URL: OWN_URL });
    expect(healthy.out).toMatch(/^right {2}Advisory locks of one session hold/m);
    expect(healthy.out).toMatch(/^right {2}Notifications arrive/m);
    await query(
      own,
      `CREATE SCHEMA other_engine;
       CREATE FUNCTION other_engine.pg_advisory_lock(bigint) RETURNS void LANGUAGE sql AS 'SELECT';
       CREATE FUNCTION other_engine.pg_advisory_unlock(bigint) RETURNS bool LANGUAGE sql
         AS 'SELECT true';
       CREATE FUNCTION other_engine.pg_try_advisory_lock(bigint) RETURNS bool LANGUAGE sql
         AS 'SELECT true';
       ALTER DATABASE ${own.database} SET search_path = other_engine, pg_catalog, public`,
    );
    const other = await runCommand('doctor', { DATABASE_URL: OWN_URL });
    expect(other.code).toBe(1);
    expect(listWrongLines(other)).toEqual([
      expect.stringMatching(/Advisory locks of one session do not hold .* pool_mode = session/),
    ]);
  });

  it('[cli.doctor] says which keys lie in clear, and that one role does everything', async () => {
    const open = await runCommand('doctor', { DATABASE_URL, REALM: 'prod' });
    expect(listWrongLines(open)).toEqual([
      expect.stringContaining('The keys that sign receipts and the log are not encrypted'),
    ]);
    expect(open.out).toMatch(/^right {2}The service's role in the database is a superuser/m);
    const sealed = await runCommand('doctor', {
      DATABASE_URL,
      REALM: 'prod',
      DATA_KEY: 'd'.repeat(64),
    });
    expect(listWrongLines(sealed)).toEqual([]);
  });

  it('[cli.doctor] names each fault of the data and the database', async () => {
    const [ada] = await query(connection, `SELECT id FROM agents WHERE handle = 'ada'`);
    const [kept] = await query(connection, `SELECT id FROM agents WHERE handle = 'kept'`);
    const room = '019ca945-0a00-7000-8190-000000000001';
    const thread = '019ca945-0a00-7000-8190-000000000002';
    await query(
      connection,
      `INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
         VALUES ('${room}', 'Broken', 'public', '${ada.id}', 2, now());
      INSERT INTO members VALUES ('${room}', '${kept.id}', 'owner', now());
      INSERT INTO threads (id, room_id, title, kind, visibility, author_id, message_count,
          created_at, last_message_at)
        VALUES ('${thread}', '${room}', 'Broken', 'discussion', 'public', '${ada.id}', 2,
          now(), now());
      INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id,
          created_at)
        VALUES ('${thread}', '${thread}', 2, '${ada.id}', 'x', '', '${thread}', now());
      INSERT INTO event_fanouts (thread_id, message_id, served, created_at)
        VALUES ('${thread}', '${thread}', '{}', now() - interval '1 hour');
      UPDATE rooms SET thread_count = 3 WHERE id = '${room}';
      UPDATE event_heads SET head = 2 WHERE agent_id = '${ada.id}';
      INSERT INTO events VALUES ('${ada.id}', 2, 1, '${room}', NULL, '${kept.id}', now());
      INSERT INTO guest_contexts (id, key_sha256, due_at)
        VALUES ('${room}', sha256('key'), now() + interval '2 days');
      INSERT INTO guest_entries (context_id, key, value, version, created_at, updated_at,
          expires_at)
        VALUES ('${room}', 'a', '1', 1, now(), now(), now() + interval '1 day');
      UPDATE threads SET file_count = 1 WHERE id = '${thread}';
      UPDATE subjects SET claim_count = 1 WHERE id = '${kept.id}';
      INSERT INTO portable_events (id, kind, visibility, occurred_at, actor_id, subject_type,
          subject_id, content_sha256)
        SELECT id::uuid, 'message.posted', 'public', now() - interval '1 hour', '${ada.id}',
          'message', id::uuid, sha256('x')
        FROM unnest(ARRAY['${room}', '${thread}']) AS a (id);
      INSERT INTO portable_queue VALUES ('${room}', '{}');
      UPDATE log_state SET size = size + 1;
      ALTER DATABASE ${connection.database} SET synchronous_commit = off`,
    );
    const broken = await runCommand('doctor', { DATABASE_URL });
    for (const [index, word] of [
      'synchronous_commit',
      'event streams',
      'threads',
      'count of threads',
      'count of members',
      'owner',
      'count of files',
      'count of identity claims',
      'guest contexts',
      'neither have a place in the log',
      'logs have a gap',
      'subscribers',
      'waited for more than five minutes for their place in the log',
    ].entries()) {
      expect(listWrongLines(broken)[index]).toContain(word);
    }
    for (const [index, id] of [
      ada.id,
      thread,
      room,
      room,
      room,
      thread,
      kept.id,
      room,
      thread,
      '/log',
    ].entries())
      expect(listWrongLines(broken)[index + 1]).toContain(id);
    expect({
      code: broken.code,
      length: listWrongLines(broken).length,
      out: broken.out,
    }).toEqual({
      code: 1,
      length: 13,
      out: expect.stringMatching(/13 things are wrong\.\n$/),
    });

    await query(connection, 'DELETE FROM migrations');
    expect(listWrongLines(await runCommand('doctor', { DATABASE_URL }))).toEqual([
      expect.stringContaining('synchronous_commit'),
      expect.stringMatching(
        new RegExp(`migration 0 of ${latestMigration}\\. Run: stoa migrate\\.$`),
      ),
    ]);
  });

  it('[cli.doctor] checks whether the key decrypts the secrets of webhooks', async () => {
    const own = await createDatabase(inject('server'));
    const hooks = {
      DATABASE_URL: toDatabaseUrl(own),
      WEBHOOKS_ENABLED: 'on',
      WEBHOOKS_ENCRYPTION_KEY: 'c0ffee'.repeat(11).slice(0, 64),
    };
    const service = await startService(hooks);
    const f = factories(service);
    const { key } = await f.createAgent();
    await f.ok('PUT', '/api/v1/me/webhook', {
      key,
      body: { url: 'https://hooks.example/stoa', secret: 'ab'.repeat(32) },
    });
    const [fine, wrong, none] = await Promise.all([
      runCommand('doctor', hooks),
      runCommand('doctor', { ...hooks, WEBHOOKS_ENCRYPTION_KEY: 'f00d'.repeat(16) }),
      runCommand('doctor', { DATABASE_URL: hooks.DATABASE_URL }),
    ]);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(fine.out).toMatch(/^right {2}WEBHOOKS_ENCRYPTION_KEY opens/m);
    expect(listWrongLines(wrong)).toEqual([
      expect.stringMatching(
        /WEBHOOKS_ENCRYPTION_KEY cannot open the secrets of 1 stored webhook: set the key/,
      ),
    ]);
    expect(none.out).not.toContain('WEBHOOKS_ENCRYPTION_KEY');
    expect({ fine: fine.code, wrong: wrong.code, none: none.code }).toEqual({
      fine: 0,
      wrong: 1,
      none: 0,
    });
    for (const secret of Object.values(hooks).slice(2))
      for (const { out, err } of [fine, wrong]) expect(out + err).not.toContain(secret);
  });

  it('[cli.doctor] checks whether the settings decrypt the signing keys', async () => {
    const own = await createDatabase(inject('server'));
    const sealed = { DATABASE_URL: toDatabaseUrl(own), DATA_KEY: 'c0ffee'.repeat(11).slice(0, 64) };
    const service = await startService(sealed);
    const examined = await Promise.all(
      [
        sealed,
        { ...sealed, DATA_KEY: 'f00d'.repeat(16) },
        { DATABASE_URL: sealed.DATABASE_URL },
      ].map((env) => runCommand('doctor', env)),
    );
    const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'der',
      type: 'pkcs8',
    });
    await query(
      own,
      `UPDATE signing_keys SET private_key = '\\x${another.toString('hex')}', sealed = false`,
    );
    const swapped = await runCommand('doctor', sealed);
    expect(await service.end('SIGTERM')).toBe(0);
    const [fine, other, none] = examined.map(({ out }) =>
      out.split('\n').filter((line) => / key /i.test(line) && /log|sign/.test(line)),
    );
    expect(fine).toEqual([
      'right  The key that signs receipts opens with these settings.',
      'right  The key of the log opens with these settings.',
    ]);
    expect(other).toEqual([
      expect.stringMatching(/^WRONG {2}DATA_KEY is not the one .* signing key/),
      expect.stringMatching(/^WRONG {2}DATA_KEY is not the one .* key of the log/),
    ]);
    expect(none).toEqual([
      expect.stringMatching(/^WRONG {2}DATA_KEY must be set: the signing key/),
      expect.stringMatching(/^WRONG {2}DATA_KEY must be set: the key of the log/),
    ]);
    expect(listWrongLines(swapped)).toEqual([
      expect.stringContaining('The signing key of this installation was changed in the database.'),
    ]);
    expect(examined.map(({ code }) => code)).toEqual([0, 1, 1]);
  });

  it('[cli.doctor] reports bad settings and a missing database', async () => {
    const cases = [
      { env: { DATABASE_URL, PORT: 'eighty' }, says: /PORT must be a whole number/ },
      {
        env: { DATABASE_URL: 'postgres://ada:confidential@127.0.0.1:1/stoa' },
        says: /does not answer \(.*ECONNREFUSED.*DATABASE_URL/,
      },
      {
        env: { DATA_DIR: join(createFolder(), 'data') },
        says: /no installation in the data folder .* Start the service once/,
      },
    ];
    for (const [index, ended] of (
      await Promise.all(cases.map(({ env }) => runCommand('doctor', env)))
    ).entries()) {
      expect(listWrongLines(ended)).toEqual([expect.stringMatching(cases[index]?.says ?? '')]);
      expect({ code: ended.code, err: ended.err }).toEqual({ code: 1, err: '' });
      expect(ended.out).not.toContain('confidential');
    }
  });

  it('[cli.doctor] recognizes a Node.js that is too old', () => {
    expect(['18.20.8', '20.18.3'].map((version) => examineNode(version).isOk)).toEqual([
      false,
      false,
    ]);
    expect(['20.19.0', '22.1.0', '24.0.0'].map((version) => examineNode(version).isOk)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('serve that cannot start', () => {
  it('[config.bad-value] names the bad setting in one sentence', async () => {
    expectOneSentence(
      await runCommand('serve', { DATABASE_URL, PORT: '80800' }),
      /^PORT must be a whole number from 0 to 65535, not "80800"\.$/m,
    );
  });

  it('[config.listen] reports a used port in one sentence, with workers too', async () => {
    await query(
      connection,
      `ALTER DATABASE ${connection.database} RESET synchronous_commit; DROP SCHEMA public ` +
        'CASCADE; CREATE SCHEMA public',
    );
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const taken = [
      { PORT: String(port) },
      { PORT: String(port), WORKERS: '2' },
      { METRICS_PORT: String(port) },
    ];
    const ended = await Promise.all(
      taken.map((env) => runCommand('serve', { DATABASE_URL, LOG_LEVEL: 'error', ...env })),
    );
    for (const one of ended) expectOneSentence(one, `Another program listens on 127.0.0.1:${port}`);
    server.close();
  });

  it('[start.database-url] reports a missing database without the password', async () => {
    const ended = await runCommand('serve', {
      DATABASE_URL: 'postgres://ada:confidential@127.0.0.1:1/stoa',
    });
    expectOneSentence(ended, /The database cannot be used .* DATABASE_URL/);
    expect(ended.err).not.toContain('confidential');
  });
});
