import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { whileLocked } from '../../support/locks.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

it('[attack.57-1] (API1) who was removed does not wait for a room', async () => {
  const owner = await f.createAgent();
  const mal = await f.createAgent();
  const room = await f.createRoom(owner, 'private');
  const older: Json = await f.ok('POST', `/api/v1/rooms/${room}/invitations`, { key: owner.key });
  const named = await f.inviteByName(owner, room, mal);
  const acceptNamed = () =>
    f.sendForOutcome('POST', `/api/v1/invitations/${named.id}/accept`, { key: mal.key });
  const acceptToken = () =>
    f.sendForOutcome('POST', '/api/v1/invitations/accept', {
      key: mal.key,
      body: { token: older.token },
    });
  expect(await acceptNamed()).toBe('200');
  const locks = [
    sql`SELECT 1 FROM rooms WHERE id = ${room} FOR UPDATE`,
    sql`SELECT 1 FROM agents WHERE id = ${owner.id} FOR UPDATE`,
    sql`SELECT 1 FROM invitations WHERE room_id = ${room} FOR UPDATE`,
  ];
  // A repeated call has nothing to change.
  for (const lock of locks)
    await whileLocked(db, lock, async () => expect(await acceptNamed()).toBe('200'));
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${mal.id}`, { key: owner.key });
  for (const lock of locks)
    await whileLocked(db, lock, async () => {
      expect(await acceptNamed()).toBe('410 gone');
      expect(await acceptToken()).toBe('403 removed_from_room');
    });
});
