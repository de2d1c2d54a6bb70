import { expect, inject, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { factories, waitUntil } from '../support/factories.ts';
import { query, startService, toDatabaseUrl } from '../support/service.ts';

const DAY_SECONDS = 24 * 3600;

it('[idem.retention] createRoom after a restart eight days later; the job forgets', async () => {
  const connection = await createDatabase(inject('server'));
  const env = { DATABASE_URL: toDatabaseUrl(connection) };
  const before = await startService(env);
  const f = factories(before);
  const ada = await f.createAgent('ada-returns');
  const create = (url: string) =>
    factories({ url }).send('POST', '/api/v1/rooms', {
      key: ada.key,
      idem: 'weekly',
      body: { name: 'A room' },
    });
  const first = await create(before.url);
  expect((await create(before.url)).text).toBe(first.text);
  expect(await before.end('SIGTERM')).toBe(0);

  const later = await startService({ ...env, CLOCK_OFFSET_SECONDS: String(8 * DAY_SECONDS) });
  const again = await create(later.url);
  expect({ status: again.status, replayed: again.headers.get('idempotency-replayed') }).toEqual({
    status: 200,
    replayed: null,
  });
  expect(again.body.id).not.toBe(first.body.id);
  // No test moves its jobs: they run at the pace of every installation.
  await waitUntil('the old records are gone', async () => {
    const rows = await query(
      connection,
      `SELECT 1 FROM idempotency_records WHERE created_at < now() + interval '1 day'`,
    );
    return rows.length === 0;
  });
  expect((await create(later.url)).text).toBe(again.text);
  expect(await later.end('SIGTERM')).toBe(0);
});
