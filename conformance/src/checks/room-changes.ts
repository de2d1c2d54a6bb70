import { createHash } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectHeader,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { attachFile, createRoom, getRoom, postMessage, startThreadIn } from '../support/rooms.ts';

const OWNER = 'The owner of a room may rename it, describe it, archive it and hand it over';

const parseLines = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

export const roomChanges = buildArea('room-changes', 'core 5', [
  check('rename', OWNER, async (w) => {
    const { id, owner } = await createRoom(w, 'public');
    const body = { name: 'Renamed', description: 'Described' };
    expectOk(await w.put(`/api/v1/rooms/${id}`, body, { as: owner }));
    const { name, description } = await w.read(`/api/v1/rooms/${id}`);
    expectEqual({ name, description }, body, 'the room');
  }),
  check('rename-member', OWNER, async (w) => {
    const { id, member } = await getRoom(w, 'public');
    const answer = await w.put(`/api/v1/rooms/${id}`, { name: 'Mine' }, { as: member });
    expectProblem(answer, 403, 'forbidden');
  }),
  check(
    'archived',
    'an archived room is read, not written (`state_conflict`, `archived`)',
    async (w) => {
      const room = await createRoom(w, 'public');
      const thread = await startThreadIn(w, room);
      expectOk(await w.put(`/api/v1/rooms/${room.id}`, { archived: true }, { as: room.owner }));
      const path = `/api/v1/threads/${thread.id}/messages`;
      const refused = await w.post(path, { body: 'x' }, { as: room.owner });
      expectThat(
        expectProblem(refused, 409, 'state_conflict').state === 'archived' ||
          refused.json.reason === 'archived',
        'expected the refusal to say that the room is archived',
        refused,
      );
      expectEqual((await w.read(path)).messages.length, 1, 'the number of messages');
      expectOk(await w.put(`/api/v1/rooms/${room.id}`, { archived: false }, { as: room.owner }));
      expectOk(await w.post(path, { body: 'x' }, { as: room.owner }));
    },
  ),
  check('hand-over', '`agentId` of a member, who accepts by `POST .../owner/accept`', async (w) => {
    const { id, owner, member } = await createRoom(w, 'public');
    const path = `/api/v1/rooms/${id}/owner`;
    expectOk(await w.put(path, { agentId: member.id }, { as: owner }));
    const seen = (await w.read(`/api/v1/rooms/${id}`, { as: member })).proposedOwnerId;
    expectEqual(seen, member.id, 'proposedOwnerId for the proposed');
    expectEqual((await w.read(`/api/v1/rooms/${id}`)).proposedOwnerId, null, 'for anybody');
    expectOk(await w.post(`${path}/accept`, undefined, { as: member }));
    expectEqual((await w.read(`/api/v1/rooms/${id}`)).ownerId, member.id, 'ownerId');
  }),
  check('hand-over-back', 'takes the proposal back', async (w) => {
    const { id, owner, member } = await createRoom(w, 'public');
    const path = `/api/v1/rooms/${id}/owner`;
    expectOk(await w.put(path, { agentId: member.id }, { as: owner }));
    expectOk(await w.delete(path, { as: owner }));
    const answer = await w.post(`${path}/accept`, undefined, { as: member });
    expectThat(answer.status >= 400, 'expected the proposal to be gone', answer);
    expectEqual((await w.read(`/api/v1/rooms/${id}`)).ownerId, owner.id, 'ownerId');
  }),
  check('mine', '`GET /rooms?mine=true&archived=`', async (w) => {
    const { id, owner } = await createRoom(w, 'private');
    const list = async (query: string) =>
      (await w.read(`/api/v1/rooms?mine=true&limit=100${query}`, { as: owner })).map(
        (room: Json) => room.id,
      );
    expectThat((await list('&archived=false')).includes(id), 'expected the room in the list');
    expectOk(await w.put(`/api/v1/rooms/${id}`, { archived: true }, { as: owner }));
    expectThat(!(await list('&archived=false')).includes(id), 'expected it to be left out');
    expectThat((await list('&archived=true')).includes(id), 'expected it among the archived');
  }),
  check(
    'export',
    'Export is a streamed `application/x-ndjson` with one record a line',
    async (w) => {
      const room = await createRoom(w, 'private');
      const thread = await startThreadIn(w, room);
      await postMessage(w, thread.id, room.member, 'To be exported.');
      await attachFile(w, thread.messageId, room.owner);
      const answer = await w.get(`/api/v1/rooms/${room.id}/export`, { as: room.member });
      expectEqual(answer.status, 200, 'the status', answer);
      expectHeader(answer, 'content-type', /^application\/x-ndjson/);
      const lines = parseLines(answer.text);
      const found = JSON.stringify(lines);
      for (const part of [room.id, thread.id, thread.messageId, 'To be exported.', 'note.txt'])
        expectThat(found.includes(part), `expected ${part} in the export`, answer);
    },
  ),
  check('export-end', 'ends with a line that counts and hashes what went before', async (w) => {
    const { id, owner } = await getRoom(w, 'public');
    const answer = await w.get(`/api/v1/rooms/${id}/export`, { as: owner });
    const body = answer.text.trimEnd();
    const before = body.slice(0, body.lastIndexOf('\n') + 1);
    const last = body.slice(body.lastIndexOf('\n') + 1);
    const digest = createHash('sha256').update(before).digest('hex');
    expectThat(last.includes(digest), 'expected the last line to have the SHA-256', answer);
    const count = before.trimEnd().split('\n').length;
    expectThat(
      Object.values(JSON.parse(last)).includes(count),
      `expected the last line to count ${count} lines: ${last}`,
      answer,
    );
  }),
  check(
    'export-outside',
    'export by a non-member of a public room is `membership_required`',
    async (w) => {
      const { id } = await getRoom(w, 'public');
      const as = await getAgent(w, 'stranger');
      const answer = await w.get(`/api/v1/rooms/${id}/export`, { as });
      expectProblem(answer, 403, 'membership_required');
    },
  ),
]);
