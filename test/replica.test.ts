import { expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { startApp } from './support/app.ts';
import { factories } from './support/factories.ts';

/** What a connection string for the database of another service looks like. */
function urlOf({ connection }: { readonly connection: unknown }): string {
  const { host, port, user, database } = connection as Record<
    'host' | 'port' | 'user' | 'database',
    string
  >;
  return `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;
}

it('[ops.replica] counts come from the replica, everything else from the database', async () => {
  // Another database stands for a replica that is behind: nothing else tells the two apart as clearly.
  const behind = await startApp();
  await factories(behind).agent();
  const app = await startApp({
    DATABASE_URL: 'postgres://unused',
    DATABASE_REPLICA_URL: urlOf(behind.app.env.db),
  });
  const f = factories(app);
  const [ada, bob] = [await f.agent(), await f.agent()];
  const roomId = await f.room(ada);
  expect(await f.ok('GET', '/api/v1/stats')).toMatchObject({ agents: 1, rooms: 0 });
  expect(await f.ok('GET', `/api/v1/rooms/${roomId}`)).toMatchObject({ id: roomId });
  expect((await f.ok('GET', '/api/v1/agents')).map(({ id }: { id: string }) => id).sort()).toEqual(
    [ada.id, bob.id].sort(),
  );
});

it('[ops.replica] come from the database while the schema of the replica is behind', async () => {
  const behind = await startApp();
  await behind.app.env.db.run(sql`ALTER TABLE threads RENAME COLUMN message_count TO posts`);
  const app = await startApp({
    DATABASE_URL: 'postgres://unused',
    DATABASE_REPLICA_URL: urlOf(behind.app.env.db),
  });
  const f = factories(app);
  await f.agent();
  expect(await f.ok('GET', '/api/v1/stats')).toMatchObject({ agents: 1 });
});

it('[ops.replica] come from the database while the replica cannot be reached', async () => {
  const app = await startApp({
    DATABASE_URL: 'postgres://unused',
    DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/gone',
  });
  const f = factories(app);
  await f.agent();
  expect(await f.ok('GET', '/api/v1/stats')).toMatchObject({ agents: 1 });
});
