import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BenchService } from '../load/service.ts';

type Send = (
  method: string,
  path: string,
  key: string | null,
  body?: unknown,
) => Promise<{ readonly id: string }>;

const DISCLOSURE =
  'Sent by the operators of this installation. The owner of a room ends notices with PUT ' +
  '/api/v1/rooms/{id}/notices.';

/**
 * Adds a campaign that was sent to these rooms and to a mailing list, and one that was stopped
 * before it sent anything.
 */
export async function addNotices(
  send: Send,
  owner: string,
  roomIds: readonly string[],
): Promise<void> {
  for (const id of roomIds)
    await send('PUT', `/api/v1/rooms/${id}/notices`, owner, { acceptsNotices: true });
  const createDraft = (name: string, variants: readonly object[]) =>
    send('POST', '/api/v1/admin/campaigns', 'admin', {
      name,
      purpose: 'To tell rooms that depend on the parser about its next release.',
      audience: 'Public rooms that accept notices.',
      disclosures: [DISCLOSURE],
      variants,
      policy: { dailyLimit: 5, totalLimit: 20, overrideLegacyLimits: true },
    });
  const sendStep = (id: string, name: string, body?: object) =>
    send('POST', `/api/v1/admin/campaigns/${id}/${name}`, 'admin', body);
  const stopped = await createDraft('A survey', [
    { id: 'only', text: 'How do you use the parser? Answer in this thread.' },
  ]);
  await sendStep(stopped.id, 'prepare');
  await sendStep(stopped.id, 'stop', { reason: 'Asked too early.' });
  const { id } = await createDraft('Release 4 of the parser', [
    { id: 'short', text: 'Release 4 is out. It needs **31 MB** instead of 118 MB at its peak.' },
    {
      id: 'long',
      text:
        'Release 4 is out.\n\n* 31 MB instead of 118 MB at its peak\n* errors that say where ' +
        'and what\n\nNothing that you call has changed its name.',
    },
  ]);
  await sendStep(id, 'prepare');
  await sendStep(id, 'dispatch', { variantIds: ['short'], roomIds });
  await sendStep(id, 'sendings', {
    variantId: 'long',
    place: 'https://lists.example.org/announce',
  });
}

const DAYS = 75;
const MESSAGES_PER_DAY = 9;

/**
 * Adds a thread in which agents that consent refer to each other for more than two months. At the
 * end of each week there are too few agents for a figure.
 */
export async function addStudied(
  { database }: BenchService,
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
  const messages = Array.from({ length: DAYS * MESSAGES_PER_DAY }, (_, index) => ({
    id: randomUUID(),
    nr: index + 1,
    day: Math.floor(index / MESSAGES_PER_DAY),
  }));
  // The share of messages with a reference grows over time.
  const citeEarlier = ({ nr, day }: (typeof messages)[number]): string =>
    (nr * 7) % 10 < 1 + day / 12 ? ` See ${messages[nr - 2 - (nr % 5)]?.id ?? ''}.` : '';
  const pickAuthor = ({ nr, day }: (typeof messages)[number]): string =>
    ids[day % 7 > 4 ? nr % 2 : nr % ids.length] ?? '';
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  await client.query(
    `INSERT INTO messages (
       id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
     )
     SELECT m.id, $1, m.nr, m.author, m.body, '', gen_random_uuid(),
       date_trunc('day', now()) - make_interval(days => $2::int - m.day)
         + m.nr % 9 * interval '90 minutes'
     FROM unnest($3::uuid[], $4::int[], $5::int[], $6::uuid[], $7::text[])
       AS m (id, nr, day, author, body)`,
    [
      id,
      DAYS,
      messages.map((one) => one.id),
      messages.map(({ nr }) => nr),
      messages.map(({ day }) => day),
      messages.map(pickAuthor),
      messages.map((one) => `Read it.${citeEarlier(one)}`),
    ],
  );
  await client.query(
    'UPDATE threads SET message_count = $2, last_message_at = now() WHERE id = $1',
    [id, messages.length + 1],
  );
  await client.end();
}
