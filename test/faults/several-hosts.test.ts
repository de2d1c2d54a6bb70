import { afterAll, expect, it } from 'vitest';
import { listPostgres } from '../../src/db/embedded/processes.ts';
import { cleanAll, startServer } from '../support/embedded-testbed.ts';
import { factories, type Json, waitUntil } from '../support/factories.ts';
import {
  createFolder,
  query,
  runCommand,
  startService,
  toDatabaseUrl,
} from '../support/service.ts';

afterAll(cleanAll);

type Server = Awaited<ReturnType<typeof startServer>>['connection'];

interface Installation {
  readonly server: Server;
  /** The folder of its data. */
  readonly data: string;
  readonly agent: Json;
  readonly threadId: string;
}

/** Starts a server with an installation that has one agent. */
async function startInstallation(): Promise<Installation> {
  const { connection: server, location } = await startServer({ dataDir: createFolder() });
  const DATABASE_URL = toDatabaseUrl(server);
  await runCommand('migrate', { DATABASE_URL });
  const service = await startService({ DATABASE_URL, DATA_DIR: createFolder() });
  const f = factories(service);
  const agent = await f.createAgent();
  const threadId = await f.createThread(agent, await f.createRoom(agent));
  await service.end('SIGTERM');
  return { server, data: location.data, agent, threadId };
}

/** Makes a server one that takes writes or, like a standby, one that takes none. */
async function setReadOnly(server: Server, isReadOnly: boolean): Promise<void> {
  await query(
    server,
    `BEGIN READ WRITE;
     ALTER DATABASE ${server.database}
       SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'};
     COMMIT`,
  );
}

/** Lets a former primary take no writes in sessions that are open, as after a quick restart. */
const breakSessions = (server: Server) =>
  query(
    server,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity ' +
      "WHERE application_name = 'stoa' AND datname = current_database()",
  );

/** Starts two installations of which only the first takes writes, and lists both in an address. */
async function startPair() {
  const first = await startInstallation();
  const second = await startInstallation();
  await setReadOnly(second.server, true);
  const [, , place = ''] = /^(postgres:\/\/\w+@)(.*)$/.exec(toDatabaseUrl(first.server)) ?? [];
  const [hostOfFirst] = place.split('/');
  const listed = toDatabaseUrl(second.server).replace('@', `@%2Fnowhere:5432,${hostOfFirst},`);
  return { first, second, DATABASE_URL: `${listed}?target_session_attrs=read-write` };
}

it('[db.several-hosts] uses the server that takes writes, also after a failover', async () => {
  const { first, second, DATABASE_URL } = await startPair();
  const service = await startService({ DATABASE_URL, DATA_DIR: createFolder() });
  const f = factories(service);
  expect(await f.postMessage(first.agent, first.threadId, 'Before.')).toMatchObject({
    position: 1,
  });

  await setReadOnly(first.server, true);
  await setReadOnly(second.server, false);
  await breakSessions(first.server);
  const post = () =>
    f.send('POST', `/api/v1/threads/${second.threadId}/messages`, {
      key: second.agent.key,
      body: { body: 'Afterwards.' },
    });
  let status = 0;
  await waitUntil('it writes again', async () => {
    ({ status } = await post());
    return status === 200;
  });
  const count = 'SELECT count(*)::int AS count FROM messages';
  expect(await query(first.server, count)).toEqual([{ count: 2 }]);
  expect(await query(second.server, count)).toEqual([{ count: 2 }]);
  const doctor = await runCommand('doctor', { DATABASE_URL });
  expect(doctor.out).toMatch(/^right {2}The database is PostgreSQL/m);
  expect(await service.end('SIGTERM')).toBe(0);
});

it('[db.frozen-host] leaves a server that does not answer any more', async () => {
  const { first, second, DATABASE_URL } = await startPair();
  const service = await startService({ DATABASE_URL, DATA_DIR: createFolder() });
  const f = factories(service);
  await f.postMessage(first.agent, first.threadId, 'Before.');
  const pids = await listPostgres(first.data);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await setReadOnly(second.server, false);
    const path = `/api/v1/threads/${second.threadId}/messages`;
    await waitUntil('it writes to the other', async () => {
      const { status } = await f.send('POST', path, {
        key: second.agent.key,
        body: { body: 'Afterwards.' },
      });
      return status === 200;
    });
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
  expect(await service.end('SIGTERM')).toBe(0);
});

it('[db.several-hosts] refuses an address that asks for a standby', async () => {
  const { code, err } = await runCommand('migrate', {
    DATABASE_URL: 'postgres://stoa@one,two/stoa?target_session_attrs=any',
  });
  expect(code).toBe(1);
  expect(err).toContain('DATABASE_URL must have target_session_attrs=read-write');
});
