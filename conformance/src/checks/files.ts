import { createHash } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import {
  expectEqual,
  expectHeader,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { attachFile, postMessage, startThread } from '../support/rooms.ts';

const SERVED =
  'always `X-Content-Type-Options: nosniff`, `Content-Disposition: attachment`, ' +
  '`Content-Security-Policy: sandbox`, `ETag`, `Range`';
const SNIFFED =
  'Served with the sniffed type only if it is on a safe list, else `application/octet-stream`';

const servedHeaders = {
  'x-content-type-options': /^nosniff$/,
  'content-disposition': /^attachment\b/,
  'content-security-policy': /\bsandbox\b/,
  etag: /^"[^"]+"$/,
};

const dangerous = {
  html: { name: 'page.html', type: 'text/html', bytes: '<!doctype html><script>alert(1)</script>' },
  svg: {
    name: 'picture.svg',
    type: 'image/svg+xml',
    bytes: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  },
  script: { name: 'code.js', type: 'text/javascript', bytes: 'alert(1)' },
};

export const files = buildArea('files', 'core 6', [
  check(
    'row',
    'FileRow | `id`, `messageId`, `name` (1..255), `mediaType`, `size`, `sha256`, …',
    async (w) => {
      const { messageId, owner } = await startThread(w);
      const bytes = 'Some text of a file.\n';
      const file = await attachFile(w, messageId, owner, { name: 'kit.txt', bytes });
      expectMembers(file, ['mediaType', 'url', 'createdAt', 'authorId']);
      const { name, size, sha256, messageId: about } = file;
      expectEqual(
        { name, size, sha256, about },
        {
          name: 'kit.txt',
          size: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          about: messageId,
        },
        'the row',
      );
    },
  ),
  check(
    'bytes',
    'file content',
    async (w) => {
      const { messageId, owner } = await startThread(w);
      const bytes = 'One\r\n\u00e9\0two';
      const file = await attachFile(w, messageId, owner, { type: 'application/x-kit', bytes });
      const answer = await w.get(`/api/v1/files/${file.id}`);
      expectEqual(answer.status, 200, 'the status', answer);
      const digest = createHash('sha256').update(answer.bytes).digest('hex');
      expectEqual(digest, file.sha256, 'the SHA-256 of what was served', answer);
    },
    { source: 'spec: Endpoints' },
  ),
  ...Object.entries(servedHeaders).map(([name, pattern]) =>
    check(`header-${name}`, SERVED, async (w) => {
      const { messageId, owner } = await startThread(w);
      const file = await attachFile(w, messageId, owner);
      expectHeader(await w.get(`/api/v1/files/${file.id}`), name, pattern);
    }),
  ),
  ...Object.entries(dangerous).map(([name, upload]) =>
    check(`sniffed-${name}`, SNIFFED, async (w) => {
      const { messageId, owner } = await startThread(w);
      const file = await attachFile(w, messageId, owner, upload);
      const answer = await w.get(`/api/v1/files/${file.id}`);
      const type = answer.headers.get('content-type') ?? '';
      expectThat(
        /^(application\/octet-stream|text\/plain)\b/.test(type),
        `expected a harmless type, received ${type}`,
        answer,
      );
    }),
  ),
  check('range', SERVED, async (w) => {
    const { messageId, owner } = await startThread(w);
    const file = await attachFile(w, messageId, owner, { bytes: '0123456789' });
    const answer = await w.get(`/api/v1/files/${file.id}`, { headers: { range: 'bytes=2-4' } });
    expectEqual([answer.status, answer.text], [206, '234'], 'the part', answer);
    expectHeader(answer, 'content-range', 'bytes 2-4/10');
  }),
  check('author', "only the message's author attaches", async (w) => {
    const { messageId, member } = await startThread(w);
    const raw = new FormData();
    raw.set('file', new Blob(['x']), 'x.txt');
    const path = `/api/v1/messages/${messageId}/files`;
    expectProblem(await w.send({ method: 'POST', path, raw }, { as: member }), 403, 'forbidden');
  }),
  check('ten', 'at most 10 a message', async (w) => {
    const { messageId, owner } = await startThread(w);
    for (let at = 0; at < 10; at += 1) await attachFile(w, messageId, owner, { name: `${at}.txt` });
    const raw = new FormData();
    raw.set('file', new Blob(['x']), 'x.txt');
    const path = `/api/v1/messages/${messageId}/files`;
    const answer = await w.send({ method: 'POST', path, raw }, { as: owner });
    expectEqual(expectProblem(answer, 422, 'limit_exceeded').limit, 10, 'limit', answer);
    const { files: rows } = await w.read(`/api/v1/messages/${messageId}`);
    expectEqual(rows.length, 10, 'the number of files');
  }),
  check(
    'required',
    'multipart/form-data, required field `file`',
    async (w) => {
      const { messageId, owner } = await startThread(w);
      const raw = new FormData();
      raw.set('other', new Blob(['x']), 'x.txt');
      const path = `/api/v1/messages/${messageId}/files`;
      expectProblem(
        await w.send({ method: 'POST', path, raw }, { as: owner }),
        400,
        'invalid_request',
      );
    },
    { source: 'spec: Endpoints' },
  ),
  check(
    'media',
    '`unsupported_media_type` | 415',
    async (w) => {
      const { messageId, owner } = await startThread(w);
      const answer = await w.post(
        `/api/v1/messages/${messageId}/files`,
        { file: 'x' },
        { as: owner },
      );
      expectProblem(answer, 415, 'unsupported_media_type');
    },
    { source: 'core 2' },
  ),
  check(
    'private',
    'every read of content, Markdown, files, search and export checks current membership',
    async (w) => {
      const { messageId, owner, member } = await startThread(w, 'private');
      const file = await attachFile(w, messageId, owner);
      const path = `/api/v1/files/${file.id}`;
      expectProblem(await w.get(path), 404, 'not_found');
      const answer = await w.get(path, { as: member });
      expectEqual(answer.status, 200, 'the status for a member', answer);
      expectHeader(answer, 'cache-control', /no-store/);
    },
  ),
  check('deletion', '`DELETE /api/v1/files/{id}` + the same', async (w) => {
    const { id, owner, member } = await startThread(w);
    const posted = await postMessage(w, id, owner, 'With a file.');
    const file = await attachFile(w, posted.id, owner);
    const path = `/api/v1/files/${file.id}`;
    expectProblem(await w.delete(path, { as: member }), 403, 'forbidden');
    expectEqual(expectOk(await w.delete(path, { as: owner })).id, file.id, 'id');
    expectThat([404, 410].includes((await w.get(path)).status), 'expected the file to be gone');
    const { files: rows } = await w.read(`/api/v1/messages/${posted.id}`);
    expectEqual(rows, [], 'the files of the message');
  }),
]);
