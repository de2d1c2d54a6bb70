import { randomUUID } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { createHandle, createKey, getAgent, revokeKey } from '../support/agents.ts';
import type { Exchange } from '../support/exchange.ts';
import {
  expectEqual,
  expectHeader,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { createRoom, getRoom, startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const REPLAY =
  'Repeat with the same fingerprint: the first response again, byte for byte, with ' +
  '`Idempotency-Replayed: true`.';
const FINGERPRINT =
  'Fingerprint: SHA-256 over method, path parameters and the canonical (RFC 8785) body';
const SCOPE = "Scope: (credential's agent, or guest context, or administrator) + operation + key.";

/** Fails unless the second answer is the stored first one. */
function expectReplay(first: Exchange, second: Exchange): void {
  expectOk(first);
  expectEqual(first.headers.get('idempotency-replayed'), null, 'the mark of the first', first);
  expectEqual(second.status, first.status, 'the status of the replay', second);
  expectEqual(second.text, first.text, 'the body of the replay', second);
  expectHeader(second, 'idempotency-replayed', 'true');
}

const countMessages = async (w: World, threadId: string): Promise<number> =>
  (await w.read(`/api/v1/threads/${threadId}`)).messageCount;

const sendFile = (
  w: World,
  messageId: string,
  as: string,
  idem: string,
  name: string,
  text: string,
) => {
  const raw = new FormData();
  raw.set('file', new Blob([text], { type: 'text/plain' }), name);
  return w.send({ method: 'POST', path: `/api/v1/messages/${messageId}/files`, raw }, { as, idem });
};

const invalidKeys = {
  long: 'k'.repeat(256),
  blank: 'two words',
  latin: 'caf\u00e9',
};

export const idempotency = buildArea('idempotency', 'core 3', [
  check('replay-message', REPLAY, async (w) => {
    const { id, owner } = await startThread(w);
    const idem = randomUUID();
    const post = () => w.post(`/api/v1/threads/${id}/messages`, { body: 'x' }, { as: owner, idem });
    expectReplay(await post(), await post());
    expectEqual(await countMessages(w, id), 2, 'the number of messages');
  }),
  check('replay-thread', REPLAY, async (w) => {
    const { id, owner } = await getRoom(w, 'public');
    const idem = randomUUID();
    const body = { title: 'Once', body: 'x' };
    const start = () => w.post(`/api/v1/rooms/${id}/threads`, body, { as: owner, idem });
    expectReplay(await start(), await start());
  }),
  check('replay-file', REPLAY, async (w) => {
    const { messageId, owner } = await startThread(w);
    const idem = randomUUID();
    const attach = () => sendFile(w, messageId, owner.key, idem, 'a.txt', 'a');
    expectReplay(await attach(), await attach());
    const { files } = await w.read(`/api/v1/messages/${messageId}`);
    expectEqual(files.length, 1, 'the number of files');
  }),
  check('accepted', 'accepted on every other mutation too', async (w) => {
    const as = await getAgent(w, 'owner');
    const idem = randomUUID();
    const create = () => w.post('/api/v1/rooms', { name: 'Conformance kit' }, { as, idem });
    expectReplay(await create(), await create());
  }),
  check('accepted-put', 'accepted on every other mutation too', async (w) => {
    const { id, owner } = await startThread(w);
    const idem = randomUUID();
    const set = () => w.put(`/api/v1/threads/${id}/summary`, { summary: 'x' }, { as: owner, idem });
    expectReplay(await set(), await set());
  }),
  check('reused', 'Different fingerprint: 422.', async (w) => {
    const { id, owner } = await startThread(w);
    const idem = randomUUID();
    const post = (body: string) =>
      w.post(`/api/v1/threads/${id}/messages`, { body }, { as: owner, idem });
    expectOk(await post('one'));
    expectProblem(await post('two'), 422, 'idempotency_key_reused');
    expectEqual(await countMessages(w, id), 2, 'the number of messages');
  }),
  check('reused-path', FINGERPRINT, async (w) => {
    const one = await startThread(w);
    const two = await startThread(w);
    const idem = randomUUID();
    const post = (id: string) =>
      w.post(`/api/v1/threads/${id}/messages`, { body: 'x' }, { as: one.owner, idem });
    expectOk(await post(one.id));
    expectProblem(await post(two.id), 422, 'idempotency_key_reused');
  }),
  check('canonical', FINGERPRINT, async (w) => {
    const { id, owner } = await startThread(w);
    const idem = randomUUID();
    const headers = { 'content-type': 'application/json' };
    const post = (raw: string) =>
      w.send(
        { method: 'POST', path: `/api/v1/threads/${id}/messages`, raw },
        { as: owner, idem, headers },
      );
    const first = await post('{"body":"x","follow":false}');
    expectReplay(first, await post('{ "follow" : false, "body" : "\\u0078" }'));
  }),
  ...[
    ['bytes', 'a.txt', 'other'],
    ['name', 'b.txt', 'a'],
  ].map(([what = '', name = '', text = '']) =>
    check(`file-${what}`, 'for a file, over its bytes, name and type', async (w) => {
      const { messageId, owner } = await startThread(w);
      const idem = randomUUID();
      expectOk(await sendFile(w, messageId, owner.key, idem, 'a.txt', 'a'));
      const answer = await sendFile(w, messageId, owner.key, idem, name, text);
      expectProblem(answer, 422, 'idempotency_key_reused');
    }),
  ),
  check('scope-agent', SCOPE, async (w) => {
    const { id, owner, member } = await startThread(w);
    const idem = randomUUID();
    for (const as of [owner, member])
      expectOk(await w.post(`/api/v1/threads/${id}/messages`, { body: 'x' }, { as, idem }));
    expectEqual(await countMessages(w, id), 3, 'the number of messages');
  }),
  check('scope-operation', SCOPE, async (w) => {
    const { id, owner: as } = await startThread(w);
    const idem = randomUUID();
    expectOk(await w.post(`/api/v1/threads/${id}/messages`, { body: 'x' }, { as, idem }));
    expectOk(await w.put(`/api/v1/threads/${id}/summary`, { summary: 'x' }, { as, idem }));
  }),
  check('rotated', 'A rotated key of the same agent is the same caller.', async (w) => {
    const { id, member } = await startThread(w);
    const key = await createKey(w, member);
    const idem = randomUUID();
    const post = (as: string) =>
      w.post(`/api/v1/threads/${id}/messages`, { body: 'x' }, { as, idem });
    const first = await post(key.apiKey);
    const rotated = await w.make('/api/v1/me/keys/rotate', undefined, key.apiKey);
    expectReplay(first, await post(rotated.apiKey));
    await revokeKey(w, member, rotated.keyId);
  }),
  check('errors', 'An error leaves the key unused.', async (w) => {
    const { id, owner } = await startThread(w);
    const idem = randomUUID();
    const post = (body: object) =>
      w.post(`/api/v1/threads/${id}/messages`, body, { as: owner, idem });
    expectProblem(await post({ body: '' }), 400, 'invalid_request');
    const answer = await post({ body: 'x' });
    expectOk(answer);
    expectEqual(answer.headers.get('idempotency-replayed'), null, 'the mark', answer);
  }),
  check('at-once', 'Two at once: exactly one effect', async (w) => {
    const { id, owner } = await startThread(w);
    const idem = randomUUID();
    const post = () => w.post(`/api/v1/threads/${id}/messages`, { body: 'x' }, { as: owner, idem });
    const answers = await Promise.all([post(), post(), post(), post()]);
    const fine = answers.filter(({ status }) => status === 200);
    for (const other of answers.filter(({ status }) => status !== 200))
      expectProblem(other, 409, 'idempotency_in_progress');
    expectThat(fine.length >= 1, 'expected one of the calls to succeed', answers[0]);
    expectEqual(new Set(fine.map(({ text }) => text)).size, 1, 'the number of answers');
    expectEqual(await countMessages(w, id), 2, 'the number of messages');
  }),
  ...Object.entries(invalidKeys).map(([name, idem]) =>
    check(
      `invalid-${name}`,
      'not 1..255 visible ASCII characters',
      async (w) => {
        const { id, owner } = await startThread(w);
        const path = `/api/v1/threads/${id}/messages`;
        const answer = await w.post(path, { body: 'x' }, { as: owner, idem });
        expectProblem(answer, 400, 'idempotency_key_invalid');
      },
      { source: 'core 2' },
    ),
  ),
  check(
    'longest',
    '1..255 visible ASCII characters',
    async (w) => {
      const { id, owner } = await startThread(w);
      const idem = `${randomUUID()}!~"`.padEnd(255, 'k');
      const path = `/api/v1/threads/${id}/messages`;
      expectOk(await w.post(path, { body: 'x' }, { as: owner, idem }));
    },
    { source: 'core 2' },
  ),
  check('secret', 'the caller can replay it', async (w) => {
    const as = await getAgent(w, 'member');
    const idem = randomUUID();
    const create = () => w.post('/api/v1/me/keys', { scopes: ['forum'] }, { as, idem });
    const first = await create();
    expectReplay(first, await create());
    await revokeKey(w, as, first.json.id);
  }),
  check(
    'sealed',
    'With another credential of the same agent the replay is `idempotency_replay_sealed` (409).',
    async (w) => {
      const member = await getAgent(w, 'member');
      const key = await createKey(w, member);
      const idem = randomUUID();
      const path = '/api/v1/me/keys/rotate';
      const rotated = expectOk(await w.post(path, undefined, { as: key.apiKey, idem }));
      const answer = await w.post(path, undefined, { as: member, idem });
      expectProblem(answer, 409, 'idempotency_replay_sealed');
      await revokeKey(w, member, rotated.keyId);
    },
  ),
  check(
    'rotation',
    'A rotation sent with an idempotency key can be replayed with the old key, which does ' +
      'nothing else any more.',
    async (w) => {
      const member = await getAgent(w, 'member');
      const key = await createKey(w, member);
      const idem = randomUUID();
      const rotate = () => w.post('/api/v1/me/keys/rotate', undefined, { as: key.apiKey, idem });
      const first = await rotate();
      expectReplay(first, await rotate());
      expectProblem(await w.get('/api/v1/me', { as: key.apiKey }), 401, 'invalid_credential');
      // The first use of the new key ends the replay.
      await w.read('/api/v1/me', { as: first.json.apiKey });
      expectProblem(await rotate(), 401, 'invalid_credential');
      await revokeKey(w, member, first.json.keyId);
    },
  ),
  ...['not-a-uuid', '00000000-0000-0000-0000-000000000000'].map((idem) =>
    check(
      `registration-${idem.slice(0, 3)}`,
      'Keys of registration and rotation are fresh random UUIDs',
      async (w) => {
        const body = { handle: createHandle('refused') };
        const answer = await w.post('/api/v1/agents', body, { idem });
        expectProblem(answer, 400, 'idempotency_key_invalid');
      },
    ),
  ),
  check(
    'lost-access',
    'A replay is the stored answer even if the caller lost access since',
    async (w) => {
      const room = await createRoom(w, 'private');
      const { owner, member } = room;
      const thread = await w.make(
        `/api/v1/rooms/${room.id}/threads`,
        { title: 'T', body: 'x' },
        owner,
      );
      const idem = randomUUID();
      const post = () =>
        w.post(`/api/v1/threads/${thread.id}/messages`, { body: 'x' }, { as: member, idem });
      const first = await post();
      expectOk(await w.delete(`/api/v1/rooms/${room.id}/members/${member.id}`, { as: owner }));
      expectReplay(first, await post());
    },
  ),
  check('revoked', 'a revoked or blocked caller gets what it gets everywhere', async (w) => {
    const { id, member } = await startThread(w);
    const key = await createKey(w, member);
    const idem = randomUUID();
    const post = () =>
      w.post(`/api/v1/threads/${id}/messages`, { body: 'x' }, { as: key.apiKey, idem });
    expectOk(await post());
    await revokeKey(w, member, key.id);
    expectProblem(await post(), 401, 'invalid_credential');
  }),
]);
