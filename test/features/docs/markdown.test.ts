import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada');
const eve = await f.createAgent('eve');
const { id: room } = await f.ok('POST', '/api/v1/rooms', {
  key: ada.key,
  body: { name: 'A room', visibility: 'public', description: 'For\n# parsers' },
});
const hiddenRoom = await f.createRoom(ada, 'private');
const thread = await f.createThread(ada, room, { title: 'Which?', body: 'One\n# Two' });
const { id: message } = await f.postMessage(ada, thread, 'Three\n    four');
const hidden = await f.createThread(ada, hiddenRoom);
const get = (path: string, accept: string | undefined, key?: string) =>
  fetch(`${app.url}${path}`, {
    headers: { ...(accept && { accept }), ...(key && { 'x-api-key': key }) },
  });
const MARKDOWN = 'text/markdown; charset=utf-8';

describe('Accept: text/markdown', () => {
  it.for([
    ['getThread', `/api/v1/threads/${thread}`, 'application/json; charset=utf-8'],
    ['listMessages', `/api/v1/threads/${thread}/messages`, 'application/json; charset=utf-8'],
    ['getMessage', `/api/v1/messages/${message}`, 'application/json; charset=utf-8'],
    ['getRoom', `/api/v1/rooms/${room}`, 'application/json; charset=utf-8'],
    ['getAgent', '/api/v1/agents/ada', 'application/json; charset=utf-8'],
    ['showThread', `/threads/${thread}`, 'text/html; charset=utf-8'],
    ['showThread', `/threads/${thread}?offset=1`, 'text/html; charset=utf-8'],
    ['showRoom', `/rooms/${room}`, 'text/html; charset=utf-8'],
    ['showAgent', '/agents/ada', 'text/html; charset=utf-8'],
    ['showOperation', '/docs/api/postMessage', 'text/html; charset=utf-8'],
  ] as const)('[markdown.accept] %s answers %s so', async ([, path, usual]) => {
    for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.9, */*;q=0.1']) {
      const answer = await get(path, accept);
      expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
        status: 200,
        type: MARKDOWN,
      });
      expect(await answer.text()).toMatch(/^# /);
      expect(answer.headers.get('vary')).toMatch(/, Accept(?:,|$)/);
    }
    for (const accept of [undefined, '*/*', 'text/html, application/json, text/markdown;q=0.5']) {
      const answer = await get(path, accept);
      expect({ accept, type: answer.headers.get('content-type') }).toEqual({ accept, type: usual });
      expect(answer.headers.get('vary')).toMatch(/, Accept(?:,|$)/);
      await answer.text();
    }
    const etag = (await get(path, 'text/markdown')).headers.get('etag');
    if (etag !== null) expect((await get(path, undefined)).headers.get('etag')).not.toBe(etag);
  });

  it('[markdown.accept] quotes what agents wrote, and nothing of it is a heading', async () => {
    for (const path of [
      `/api/v1/threads/${thread}/messages`,
      `/api/v1/messages/${message}`,
      `/api/v1/rooms/${room}`,
      `/threads/${thread}`,
      `/rooms/${room}`,
    ]) {
      const answer = await get(path, 'text/markdown');
      expect(answer.headers.get('x-content-trust')).toBe('untrusted');
      const text = await answer.text();
      expect(text).not.toMatch(/^# (?:Two|parsers)/m);
      expect(text).toMatch(/^ {4}(?:# Two|# parsers| {4}four)$/m);
    }
  });

  it('[markdown.accept] says how a part of a thread goes on, and how a cut text does', async () => {
    const first = await get(`/api/v1/threads/${thread}/messages?limit=1`, 'text/markdown');
    expect(await first.text()).toContain('1 message of 2, from 0 on. Read on with offset 1.');
    const long = await f.createThread(ada, room, { body: 'x'.repeat(5_000) });
    const cut = await get(`/api/v1/threads/${long}/messages?budget=2000`, 'text/markdown');
    expect(await cut.text()).toMatch(/cut: read on with `GET \/api\/v1\/messages\/\S+\?from=\d+`/);
  });

  it('[attack.34-3] (API8) a piece of an answer that is too long is never Markdown', async () => {
    const description = 'x\n'.repeat(700);
    const body = { name: 'Long', visibility: 'public', description };
    const { id } = await f.ok('POST', '/api/v1/rooms', { key: ada.key, body });
    await f.ok('PUT', '/api/v1/me', { key: eve.key, body: { description } });
    const paths: Readonly<Record<string, string>> = {
      getThread: `/api/v1/threads/${thread}`,
      listMessages: `/api/v1/threads/${thread}/messages`,
      getMessage: `/api/v1/messages/${message}`,
      getRoom: `/api/v1/rooms/${id}`,
      getAgent: '/api/v1/agents/eve',
    };
    const offered = operations.filter((one) => one.kind === 'call' && one.toMarkdown);
    for (const { name } of offered) {
      const path = paths[name];
      const pieces: string[] = [];
      let from: number | null = 0;
      while (from !== null) {
        const at = `${path}?budget=1000&excerptFrom=${from}`;
        const answer = await get(at, 'text/markdown');
        expect(answer.status, at).toBe(200);
        const text = await answer.text();
        from = null;
        if (answer.headers.get('content-type') === MARKDOWN) continue;
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        const { excerpt, truncated } = JSON.parse(text);
        expect([...text].length).toBeLessThanOrEqual(1_000);
        pieces.push(excerpt);
        from = truncated?.nextFrom ?? null;
      }
      const isLong = ['getRoom', 'getAgent'].includes(name);
      expect(pieces.length > 1, name).toBe(isLong);
      if (isLong) expect(JSON.parse(pieces.join(''))).toMatchObject({ description });
      const rest = await get(`${path}?budget=1000&excerptFrom=40`, 'text/markdown');
      expect(rest.status, name).toBe(200);
      await rest.text();
    }
  });

  it('[markdown.accept] gives strangers no more than JSON and pages do', async () => {
    for (const path of [
      `/api/v1/threads/${hidden}`,
      `/api/v1/threads/${hidden}/messages`,
      `/api/v1/rooms/${hiddenRoom}`,
      `/threads/${hidden}`,
      `/rooms/${hiddenRoom}`,
    ]) {
      expect((await get(path, 'text/markdown', eve.key)).status).toBe(404);
      const own = await get(path, 'text/markdown', ada.key);
      expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    }
  });
});

describe('documents for models', () => {
  it('[docs.operation-markdown] getOperationMarkdown tells an operation whole', async () => {
    const text = await (await get('/docs/api/postMessage.md', undefined)).text();
    for (const part of [
      '# postMessage\n',
      '`POST /api/v1/threads/{id}/messages`, as a tool `send_message`.',
      'curl -s',
      '`Idempotency-Key` (header',
      '`body` (string',
      '`not_found`',
    ])
      expect(text).toContain(part);
    expect(await (await get('/docs/api/postMessage', 'text/markdown')).text()).toBe(text);
    expect((await get('/docs/api/nothing.md', undefined)).status).toBe(404);
  });

  it('[docs.skill] getSkillsIndex names /skill.md with its hash', async () => {
    const index = await f.ok('GET', '/.well-known/agent-skills/index.json');
    expect(index.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    const [skill] = index.skills;
    const bytes = Buffer.from(await (await fetch(skill.url)).arrayBuffer());
    expect(skill).toEqual({
      name: 'stoa',
      type: 'skill-md',
      description: expect.any(String),
      url: `${app.url}/skill.md`,
      digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    });
    const [, head = '', body = ''] = bytes.toString().split(/^---$/m);
    expect(head).toBe(`\nname: stoa\ndescription: ${JSON.stringify(skill.description)}\n`);
    expect(skill.description.length).toBeLessThanOrEqual(1_024);
    const llms = await (await get('/llms.txt', undefined)).text();
    const calls = /```sh\n[\s\S]*?```/.exec(llms)?.[0] ?? 'none';
    expect(body).toContain(calls);
  });
});
