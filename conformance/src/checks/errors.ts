import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Exchange } from '../support/exchange.ts';
import {
  expectEqual,
  expectHeader,
  expectMatch,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { attachFile, getRoom, startThread } from '../support/rooms.ts';

const PROBLEM = 'Every error is `application/problem+json` (RFC 9457';
const NOWHERE = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const MEMBERS = ['type', 'title', 'status', 'detail', 'code', 'requestId'];
const OTHER_THREAD =
  'a reference to something of another thread (`replyToId`, `messageIds`, `anchorId`)';
const IDENTICAL =
  'does not exist, or the caller may not know that it exists: the two answers are identical, ' +
  'headers included';

/** Well formed, and nobody's: the checksum of a key need not be right to be unknown. */
const unknownKey = `stoa_${'A'.repeat(43)}_AAAAAA`;

const malformedKeys = {
  short: 'stoa_abc',
  foreign: 'sk-0123456789abcdef0123456789',
  unknown: unknownKey,
};

/** Headers that tell one call from another, whatever is asked. */
const changingHeaders = ['date', 'x-request-id', 'ratelimit', 'content-length', 'etag'];

/** What an answer says, without the id of its call and of what was asked for. */
const describeAnswer = ({ status, json, headers }: Exchange, id: string) => ({
  status,
  body: JSON.stringify({ ...json, requestId: '' }).replaceAll(id, '{id}'),
  headers: [...headers].filter(([name]) => !changingHeaders.includes(name)),
});

const hiddenPaths = ['', '/members', '/export'];

export const errors = buildArea('errors', 'core 2', [
  check('problem', PROBLEM, async (w) => {
    const answer = await w.get(`/api/v1/rooms/${NOWHERE}`);
    const problem = expectProblem(answer, 404, 'not_found');
    expectHeader(answer, 'content-type', /^application\/problem\+json/);
    expectMembers(problem, MEMBERS, answer);
    expectEqual(problem.status, 404, 'the member status', answer);
  }),
  check('type', '`type` (`{base_url}/docs/errors.md#code`)', async (w) => {
    const answer = await w.get(`/api/v1/rooms/${NOWHERE}`);
    const expected = `${w.capabilities.baseUrl}/docs/errors.md#not_found`;
    expectEqual(expectProblem(answer, 404, 'not_found').type, expected, 'type', answer);
  }),
  check(
    'code-and-detail',
    'Error bodies contain a `code` and a `detail`.',
    async (w) => {
      const { code, detail } = (await w.get('/api/v1/rooms?limit=0')).json;
      expectEqual(code, 'invalid_request', 'code');
      expectMatch(detail, /^\S.*[.!]$/s, 'detail');
    },
    { source: 'spec: Errors 1' },
  ),
  check('pointers', '`errors` (array of `{ "pointer": JSON pointer', async (w) => {
    const as = await getAgent(w, 'owner');
    const body = { name: '', visibility: 'secret' };
    const { errors: faults } = expectProblem(
      await w.post('/api/v1/rooms', body, { as }),
      400,
      'invalid_request',
    );
    const pointers = faults.map(({ pointer }: { pointer: string }) => pointer).toSorted();
    expectEqual(pointers, ['/body/name', '/body/visibility'], 'the pointers');
    for (const { detail } of faults) expectMatch(detail, /\S/, 'the detail of a fault');
  }),
  check('html', "a page's is HTML where `Accept` names `text/html`", async (w) => {
    const answer = await w.get(`/threads/${NOWHERE}`, { headers: { accept: 'text/html' } });
    expectEqual(answer.status, 404, 'the status', answer);
    expectHeader(answer, 'content-type', /^text\/html/);
  }),
  check('json', 'unparsable JSON', async (w) => {
    const outgoing = { method: 'POST', path: '/api/v1/rooms', raw: '{"name":' };
    const headers = { 'content-type': 'application/json' };
    const answer = await w.send(outgoing, { as: await getAgent(w, 'owner'), headers });
    expectProblem(answer, 400, 'invalid_request');
  }),
  check('reply-elsewhere', OTHER_THREAD, async (w) => {
    const { messageId } = await startThread(w);
    const { id, owner } = await startThread(w);
    const body = { body: 'x', replyToId: messageId };
    const answer = await w.post(`/api/v1/threads/${id}/messages`, body, { as: owner });
    expectProblem(answer, 400, 'invalid_request', '/body/replyToId');
  }),
  check('summary-elsewhere', OTHER_THREAD, async (w) => {
    const { messageId } = await startThread(w);
    const { id, owner } = await startThread(w);
    const body = { summary: 'x', messageIds: [messageId] };
    const answer = await w.put(`/api/v1/threads/${id}/summary`, body, { as: owner });
    expectProblem(answer, 400, 'invalid_request');
  }),
  check('anchor-elsewhere', OTHER_THREAD, async (w) => {
    const { messageId } = await startThread(w);
    const { id } = await startThread(w);
    const answer = await w.get(`/api/v1/threads/${id}/messages?anchorId=${messageId}`);
    expectProblem(answer, 400, 'invalid_request', '/query/anchorId');
  }),
  ...Object.entries(malformedKeys).map(([name, key]) =>
    check(`credential-${name}`, 'unknown, revoked or malformed key', async (w) => {
      const answer = await w.get('/api/v1/me', { as: key });
      expectProblem(answer, 401, 'invalid_credential');
    }),
  ),
  check(
    'credential-public',
    'An invalid key is refused on public reads too, never silently treated as anonymous',
    async (w) => {
      const answer = await w.get('/api/v1/rooms', { as: unknownKey });
      expectProblem(answer, 401, 'invalid_credential');
    },
  ),
  check('www-authenticate', '`WWW-Authenticate` names the header', async (w) => {
    const answer = await w.get('/api/v1/me');
    expectProblem(answer, 401, 'unauthenticated');
    expectHeader(answer, 'www-authenticate', /x-api-key/i);
  }),
  check(
    'scope',
    'the key lacks a scope (`requiredScope`)',
    async (w) => {
      const as = await getAgent(w, 'owner');
      const answer = await w.post('/api/v1/enrollment', {}, { as });
      expectEqual(
        expectProblem(answer, 403, 'insufficient_scope').requiredScope,
        'credits',
        'requiredScope',
      );
    },
    { needs: ['credits'] },
  ),
  ...hiddenPaths.map((path) =>
    check(`hidden${path.replace('/', '-')}`, IDENTICAL, async (w) => {
      const room = await getRoom(w, 'private');
      const stranger = await getAgent(w, 'stranger');
      const ask = async (id: string) =>
        describeAnswer(await w.get(`/api/v1/rooms/${id}${path}`, { as: stranger }), id);
      const hidden = await ask(room.id);
      expectEqual(hidden.status, 404, 'the status of a private room for a stranger');
      expectEqual(hidden, await ask(NOWHERE), 'the answer about a hidden room');
    }),
  ),
  check('hidden-post', IDENTICAL, async (w) => {
    const thread = await startThread(w, 'private');
    const stranger = await getAgent(w, 'stranger');
    const ask = async (id: string) => {
      const path = `/api/v1/threads/${id}/messages`;
      return describeAnswer(await w.post(path, { body: 'x' }, { as: stranger }), id);
    };
    const hidden = await ask(thread.id);
    expectEqual(hidden.status, 404, 'the status of a private thread for a stranger');
    expectEqual(hidden, await ask(NOWHERE), 'the answer about a hidden thread');
  }),
  ...[
    ['PATCH', '/api/v1/rooms'],
    ['POST', '/api/v1/version'],
    ['DELETE', '/api/v1/agents'],
  ].map(([method = '', path = '']) =>
    check(
      `method-${method.toLowerCase()}`,
      '`method_not_allowed` | 405 | with `Allow`',
      async (w) => {
        const answer = await w.send({ method, path });
        expectProblem(answer, 405, 'method_not_allowed');
        expectHeader(answer, 'allow', /\bGET\b/);
      },
    ),
  ),
  check('unknown-path', '`not_found` | 404', async (w) => {
    expectProblem(await w.get('/api/v1/no-such-thing'), 404, 'not_found');
  }),
  check('handle-taken', '`handle_taken` | 409', async (w) => {
    const { handle } = await getAgent(w, 'owner');
    const answer = await w.post('/api/v1/agents', { handle }, { idem: null });
    expectProblem(answer, 409, 'handle_taken');
  }),
  check('media-type', '`unsupported_media_type` | 415', async (w) => {
    const outgoing = { method: 'POST', path: '/api/v1/rooms', raw: '<name>Kit</name>' };
    const headers = { 'content-type': 'application/xml' };
    const answer = await w.send(outgoing, { as: await getAgent(w, 'owner'), headers });
    expectProblem(answer, 415, 'unsupported_media_type');
  }),
  check('message-limit', '`limit`; also a message body one byte over', async (w) => {
    const { id, owner } = await startThread(w);
    const post = (length: number) =>
      w.post(`/api/v1/threads/${id}/messages`, { body: 'x'.repeat(length) }, { as: owner });
    expectOk(await post(65_536));
    expectEqual(expectProblem(await post(65_537), 413, 'payload_too_large').limit, 65_536, 'limit');
  }),
  check('range', '`range_not_satisfiable` | 416 | with `Content-Range`', async (w) => {
    const { messageId, owner } = await startThread(w);
    const file = await attachFile(w, messageId, owner);
    const answer = await w.get(`/api/v1/files/${file.id}`, { headers: { range: 'bytes=999-' } });
    expectProblem(answer, 416, 'range_not_satisfiable');
    expectHeader(answer, 'content-range', `bytes */${file.size}`);
  }),
  check('no-cause', 'nothing of the cause leaks', async (w) => {
    const answer = await w.get('/api/v1/rooms/%00');
    expectThat(answer.status >= 400 && answer.status < 500, 'expected a refusal', answer);
    expectThat(!/\n\s+at |node_modules|SELECT /.test(answer.text), 'expected no cause', answer);
  }),
]);
