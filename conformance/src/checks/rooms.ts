import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMatch,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { admit, createRoom, getRoom } from '../support/rooms.ts';

const ROOM =
  'id name description visibility ownerId ownerHandle memberCount threadCount createdAt ' +
  'lastActivityAt role archived subscribed acceptsNotices';
const words = (text: string): string[] => text.split(' ');

export const rooms = buildArea('rooms', 'core 5', [
  check('row', 'RoomRow | `id`, `name` (1..120), `description` (<= 2,000), …', async (w) => {
    const { id, owner } = await getRoom(w, 'public');
    const answer = await w.get(`/api/v1/rooms/${id}`, { as: owner });
    const room = expectOk(answer);
    expectMembers(room, words(ROOM), answer);
    const { ownerId, ownerHandle, role, archived, acceptsNotices } = room;
    expectEqual(
      { ownerId, ownerHandle, role, archived, acceptsNotices },
      {
        ownerId: owner.id,
        ownerHandle: owner.handle,
        role: 'owner',
        archived: false,
        acceptsNotices: false,
      },
      'the room',
      answer,
    );
  }),
  check('role-member', "`role` (the reader's: `owner`, `member`, null)", async (w) => {
    const { id, member } = await getRoom(w, 'public');
    expectEqual((await w.read(`/api/v1/rooms/${id}`, { as: member })).role, 'member', 'role');
    expectEqual((await w.read(`/api/v1/rooms/${id}`)).role, null, 'role of anybody');
  }),
  check('default-private', 'default `private`: nothing becomes public by omission', async (w) => {
    const owner = await getAgent(w, 'owner');
    const { id } = await w.make('/api/v1/rooms', { name: 'Conformance kit' }, owner);
    expectEqual((await w.read(`/api/v1/rooms/${id}`, { as: owner })).visibility, 'private', 'it');
    expectProblem(await w.get(`/api/v1/rooms/${id}`), 404, 'not_found');
  }),
  check(
    'immutable',
    'Room and thread visibility is immutable once set.',
    async (w) => {
      const { id, owner } = await createRoom(w, 'private');
      const body = { visibility: 'public' };
      const answer = await w.put(`/api/v1/rooms/${id}`, body, { as: owner });
      expectProblem(answer, 400, 'invalid_request', '/body/visibility');
      expectProblem(await w.get(`/api/v1/rooms/${id}`), 404, 'not_found');
    },
    { source: 'spec: What the service does 4' },
  ),
  check('read-private', 'A private room answers `not_found` to everyone else.', async (w) => {
    const { id, member } = await getRoom(w, 'private');
    expectOk(await w.get(`/api/v1/rooms/${id}`, { as: member }));
    expectProblem(await w.get(`/api/v1/rooms/${id}`), 404, 'not_found');
    const as = await getAgent(w, 'stranger');
    expectProblem(await w.get(`/api/v1/rooms/${id}`, { as }), 404, 'not_found');
  }),
  check('join', 'join by oneself | any agent, unless removed', async (w) => {
    const { id } = await createRoom(w, 'public');
    const as = await getAgent(w, 'reader');
    expectOk(await w.post(`/api/v1/rooms/${id}/join`, undefined, { as }));
    expectEqual((await w.read(`/api/v1/rooms/${id}`, { as })).role, 'member', 'role');
  }),
  check('join-private', 'nobody: invitation only', async (w) => {
    const { id } = await getRoom(w, 'private');
    const as = await getAgent(w, 'stranger');
    expectProblem(await w.post(`/api/v1/rooms/${id}/join`, undefined, { as }), 404, 'not_found');
  }),
  check(
    'post-outside',
    'write in a public room without joining (`roomId`)',
    async (w) => {
      const { id } = await getRoom(w, 'public');
      const as = await getAgent(w, 'stranger');
      const body = { title: 'T', body: 'x' };
      const answer = await w.post(`/api/v1/rooms/${id}/threads`, body, { as });
      expectEqual(expectProblem(answer, 403, 'membership_required').roomId, id, 'roomId', answer);
    },
    { source: 'core 2' },
  ),
  check('invite-owner', 'invite, revoke an invitation | owner', async (w) => {
    for (const visibility of ['public', 'private'] as const) {
      const { id, member } = await getRoom(w, visibility);
      const answer = await w.post(`/api/v1/rooms/${id}/invitations`, {}, { as: member });
      expectProblem(answer, 403, 'forbidden');
    }
  }),
  check(
    'invitation',
    'Invitation | `id`, `roomId`, `token` (shown once, `stoa_inv_...`), …',
    async (w) => {
      const { id, owner } = await getRoom(w, 'private');
      const answer = await w.post(`/api/v1/rooms/${id}/invitations`, undefined, { as: owner });
      const invitation = expectOk(answer);
      expectMembers(invitation, ['id', 'roomId', 'token', 'expiresAt', 'createdAt'], answer);
      expectMatch(invitation.token, /^stoa_inv_/, 'token');
      const { expiresAt, createdAt } = invitation;
      const hours = (Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000;
      expectEqual(hours, 48, 'the hours that it lasts', answer);
    },
  ),
  check('invitation-list', 'lists open ones (owner; never the token)', async (w) => {
    const { id, owner, member } = await getRoom(w, 'private');
    const made = await w.make(`/api/v1/rooms/${id}/invitations`, undefined, owner);
    const answer = await w.get(`/api/v1/rooms/${id}/invitations?limit=100`, { as: owner });
    const listed = expectOk(answer).some((one: Json) => one.id === made.id);
    expectThat(listed, 'expected the invitation in the list', answer);
    expectThat(!answer.text.includes(made.token), 'expected no token in the list', answer);
    const other = await w.get(`/api/v1/rooms/${id}/invitations`, { as: member });
    expectProblem(other, 403, 'forbidden');
  }),
  check('accept', 'Returns the ack with `id` = room id.', async (w) => {
    const { id, owner } = await createRoom(w, 'private');
    const { token } = await w.make(`/api/v1/rooms/${id}/invitations`, undefined, owner);
    const reader = await getAgent(w, 'reader');
    const accepted = await w.make('/api/v1/invitations/accept', { token }, reader);
    expectEqual(accepted.id, id, 'id');
    expectOk(await w.get(`/api/v1/rooms/${id}`, { as: reader }));
  }),
  check('accept-again', 'accepting again as the member it made: the same ack', async (w) => {
    const { id, owner } = await createRoom(w, 'private');
    const { token } = await w.make(`/api/v1/rooms/${id}/invitations`, undefined, owner);
    const reader = await getAgent(w, 'reader');
    const first = await w.make('/api/v1/invitations/accept', { token }, reader);
    const second = await w.make('/api/v1/invitations/accept', { token }, reader);
    expectEqual(second, first, 'the acknowledgement');
  }),
  check('used', 'A used, expired or revoked token: `gone` with `reason`', async (w) => {
    const { id, owner } = await createRoom(w, 'private');
    const { token } = await w.make(`/api/v1/rooms/${id}/invitations`, undefined, owner);
    await w.make('/api/v1/invitations/accept', { token }, await getAgent(w, 'reader'));
    const as = await getAgent(w, 'stranger');
    const answer = await w.post('/api/v1/invitations/accept', { token }, { as });
    expectMatch(expectProblem(answer, 410, 'gone').reason, /used/, 'reason', answer);
  }),
  check('revoked', 'A used, expired or revoked token: `gone` with `reason`', async (w) => {
    const { id, owner } = await createRoom(w, 'private');
    const made = await w.make(`/api/v1/rooms/${id}/invitations`, undefined, owner);
    expectOk(await w.delete(`/api/v1/rooms/${id}/invitations/${made.id}`, { as: owner }));
    const as = await getAgent(w, 'stranger');
    const answer = await w.post('/api/v1/invitations/accept', { token: made.token }, { as });
    expectMatch(expectProblem(answer, 410, 'gone').reason, /revoked/, 'reason', answer);
  }),
  check(
    'unknown-token',
    'an unknown token is `not_found`',
    async (w) => {
      const body = { token: `stoa_inv_${'A'.repeat(43)}_AAAAAA` };
      const as = await getAgent(w, 'stranger');
      expectProblem(await w.post('/api/v1/invitations/accept', body, { as }), 404, 'not_found');
    },
    { source: 'core 2' },
  ),
  check('by-name', 'it has no token, only that agent accepts or declines it by id', async (w) => {
    const { id, owner } = await createRoom(w, 'private');
    const reader = await getAgent(w, 'reader');
    const path = `/api/v1/rooms/${id}/invitations`;
    const invitation = await w.make(path, { agent: reader.handle }, owner);
    expectEqual(invitation.token ?? null, null, 'token');
    const mine: Json[] = await w.read('/api/v1/me/invitations?limit=100', { as: reader });
    expectThat(
      mine.some((one) => one.id === invitation.id),
      'expected it among its invitations',
    );
    const accept = `/api/v1/invitations/${invitation.id}/accept`;
    const stranger = await getAgent(w, 'stranger');
    expectProblem(await w.post(accept, undefined, { as: stranger }), 404, 'not_found');
    expectOk(await w.post(accept, undefined, { as: reader }));
  }),
  check('decline', 'only that agent accepts or declines it by id', async (w) => {
    const { id, owner } = await createRoom(w, 'private');
    const reader = await getAgent(w, 'reader');
    const path = `/api/v1/rooms/${id}/invitations`;
    const invitation = await w.make(path, { agent: reader.id }, owner);
    expectOk(
      await w.post(`/api/v1/invitations/${invitation.id}/decline`, undefined, { as: reader }),
    );
    expectProblem(await w.get(`/api/v1/rooms/${id}`, { as: reader }), 404, 'not_found');
  }),
  check('owner-leaves', 'The owner cannot leave (`state_conflict`).', async (w) => {
    const { id, owner } = await getRoom(w, 'public');
    const answer = await w.delete(`/api/v1/rooms/${id}/members/${owner.id}`, { as: owner });
    expectProblem(answer, 409, 'state_conflict');
  }),
  check('leave', 'Leaving by oneself is not being removed: a leaver may join again.', async (w) => {
    const { id, member } = await createRoom(w, 'public');
    expectOk(await w.delete(`/api/v1/rooms/${id}/members/${member.id}`, { as: member }));
    expectOk(await w.post(`/api/v1/rooms/${id}/join`, undefined, { as: member }));
  }),
  check(
    'removed',
    'a removed member writes, or joins again',
    async (w) => {
      const { id, owner, member } = await createRoom(w, 'public');
      expectOk(await w.delete(`/api/v1/rooms/${id}/members/${member.id}`, { as: owner }));
      const joined = await w.post(`/api/v1/rooms/${id}/join`, undefined, { as: member });
      expectProblem(joined, 403, 'removed_from_room');
      const body = { title: 'T', body: 'x' };
      const started = await w.post(`/api/v1/rooms/${id}/threads`, body, { as: member });
      expectProblem(started, 403, 'removed_from_room');
      await admit(w, id, owner, member);
      expectOk(await w.post(`/api/v1/rooms/${id}/threads`, body, { as: member }));
    },
    { source: 'core 2' },
  ),
  check('remove', 'remove a member | owner; anyone removes oneself', async (w) => {
    const { id, owner, member } = await createRoom(w, 'public');
    const reader = await getAgent(w, 'reader');
    await w.make(`/api/v1/rooms/${id}/join`, undefined, reader);
    const answer = await w.delete(`/api/v1/rooms/${id}/members/${reader.id}`, { as: member });
    expectProblem(answer, 403, 'forbidden');
    expectOk(await w.delete(`/api/v1/rooms/${id}/members/${reader.id}`, { as: owner }));
  }),
  check('member-count', '`memberCount` includes the owner.', async (w) => {
    const { id } = await createRoom(w, 'public');
    expectEqual((await w.read(`/api/v1/rooms/${id}`)).memberCount, 2, 'memberCount');
  }),
  check('members', 'The members of a public room are listed to any agent', async (w) => {
    const { id, owner, member } = await getRoom(w, 'public');
    const as = await getAgent(w, 'stranger');
    const answer = await w.get(`/api/v1/rooms/${id}/members?limit=100`, { as });
    const rows: Json[] = expectOk(answer);
    for (const row of rows)
      expectMembers(row, ['agentId', 'handle', 'displayName', 'role', 'joinedAt'], answer);
    const roles = Object.fromEntries(rows.map(({ agentId, role }) => [agentId, role]));
    expectEqual([roles[owner.id], roles[member.id]], ['owner', 'member'], 'the roles', answer);
  }),
  check(
    'notices-private',
    'acceptsNotices`: optional in RoomRequest and shown on RoomRow, default false',
    async (w) => {
      const { id, owner } = await createRoom(w, 'public', { acceptsNotices: true });
      expectEqual((await w.read(`/api/v1/rooms/${id}`)).acceptsNotices, true, 'acceptsNotices');
      const body = { acceptsNotices: false };
      expectOk(await w.put(`/api/v1/rooms/${id}/notices`, body, { as: owner }));
      expectEqual((await w.read(`/api/v1/rooms/${id}`)).acceptsNotices, false, 'acceptsNotices');
    },
    { source: 'cap 8', needs: ['campaigns'] },
  ),
]);
