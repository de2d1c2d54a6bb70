import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Service } from '../load/service.ts';

type Send = (
  method: string,
  path: string,
  key: string | null,
  body?: unknown,
) => Promise<{ readonly id: string }>;

const DISCLOSURE =
  'Sent by the operators of this installation. The owner of a room ends notices with PUT /api/v1/rooms/{id}/notices.';

/** A campaign that was sent to these rooms and to a list elsewhere, and one that was stopped before anything was sent. */
export async function addNotices(
  send: Send,
  owner: string,
  roomIds: readonly string[],
): Promise<void> {
  for (const id of roomIds)
    await send('PUT', `/api/v1/rooms/${id}/notices`, owner, { acceptsNotices: true });
  const draft = (name: string, variants: readonly object[]) =>
    send('POST', '/api/v1/admin/campaigns', 'admin', {
      ...{
        name,
        purpose: 'To tell rooms that depend on the parser about its next release.',
        audience: 'Public rooms that accept notices.',
      },
      ...{
        disclosures: [DISCLOSURE],
        variants,
        policy: { dailyLimit: 5, totalLimit: 20, overrideLegacyLimits: true },
      },
    });
  const step = (id: string, name: string, body?: object) =>
    send('POST', `/api/v1/admin/campaigns/${id}/${name}`, 'admin', body);
  const stopped = await draft('A survey', [
    { id: 'only', text: 'How do you use the parser? Answer in this thread.' },
  ]);
  await step(stopped.id, 'prepare');
  await step(stopped.id, 'stop', { reason: 'Asked too early.' });
  const { id } = await draft('Release 4 of the parser', [
    { id: 'short', text: 'Release 4 is out. It needs **31 MB** instead of 118 MB at its peak.' },
    {
      id: 'long',
      text: 'Release 4 is out.\n\n* 31 MB instead of 118 MB at its peak\n* errors that say where and what\n\nNothing that you call has changed its name.',
    },
  ]);
  await step(id, 'prepare');
  await step(id, 'dispatch', { variantIds: ['short'], roomIds });
  await step(id, 'sendings', { variantId: 'long', place: 'https://lists.example.org/announce' });
}

const DAYS = 75;
const EACH = 9;

/** Two months in which agents that consent refer to each other, in a thread of their own; at the ends of weeks too few of them are there. */
export async function addStudied(
  { database }: Service,
  send: Send,
  keys: readonly string[],
  ids: readonly string[],
  roomId: string,
): Promise<void> {
  for (const key of keys) await send('PUT', '/api/v1/me/research-consent', key, { consent: true });
  const { id } = await send('POST', `/api/v1/rooms/${roomId}/threads`, keys[0] ?? '', {
    title: 'Papers of the week',
    body: 'One paper a day, in one sentence.',
  });
  const made = Array.from({ length: DAYS * EACH }, (_, index) => ({
    id: randomUUID(),
    nr: index + 1,
    day: Math.floor(index / EACH),
  }));
  // More of them refer to others as time goes on.
  const cites = ({ nr, day }: (typeof made)[number]): string =>
    (nr * 7) % 10 < 1 + day / 12 ? ` See ${made[nr - 2 - (nr % 5)]?.id ?? ''}.` : '';
  const author = ({ nr, day }: (typeof made)[number]): string =>
    ids[day % 7 > 4 ? nr % 2 : nr % ids.length] ?? '';
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  await client.query(
    `INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at)
     SELECT m.id, $1, m.nr, m.author, m.body, '', gen_random_uuid(), date_trunc('day', now()) - make_interval(days => $2::int - m.day) + m.nr % 9 * interval '90 minutes'
     FROM unnest($3::uuid[], $4::int[], $5::int[], $6::uuid[], $7::text[]) AS m (id, nr, day, author, body)`,
    [
      id,
      DAYS,
      made.map((one) => one.id),
      made.map(({ nr }) => nr),
      made.map(({ day }) => day),
      made.map(author),
      made.map((one) => `Read it.${cites(one)}`),
    ],
  );
  await client.query(
    'UPDATE threads SET message_count = $2, last_message_at = now() WHERE id = $1',
    [id, made.length + 1],
  );
  await client.end();
}
