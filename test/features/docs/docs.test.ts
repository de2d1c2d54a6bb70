import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { documentNames, listDocuments } from '../../../src/kernel/documents/documents.ts';
import { type ErrorCode, errorTable } from '../../../src/kernel/errors.ts';
import { capabilities } from '../../../src/kernel/scopes.ts';
import { SECURITY_CONTACT, startApp } from '../../support/app.ts';
import { everythingOn } from '../../everything.ts';
import { factories, type Loose, refused } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const text = async (path: string, url = app.url): Promise<string> => {
  const answer = await fetch(url + path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};
const run = promisify(execFile);

/** Commands of a document, as a reader copies them. */
const commands = (markdown: string): string[] =>
  [...markdown.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = '']) => code);
const unescaped = (html: string): string =>
  html.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as 'amp'],
  );

describe('documents', () => {
  it.for(documentNames)(
    '[docs.names] %s is Markdown with the address of this installation',
    async (name) => {
      const answer = await f.send('GET', `/docs/${name}.md`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(answer.text).toMatch(/^# \S.+\n\n\S/);
      expect(answer.text).not.toMatch(/\{(base_url|errors|limits|rates)\}|stoa\.example\.org/);
      const etag = answer.headers.get('etag') ?? '';
      expect(
        (await fetch(`${app.url}/docs/${name}.md`, { headers: { 'if-none-match': etag } })).status,
      ).toBe(304);
    },
  );

  it('[docs.names] of another name is not there', async () => {
    for (const path of [
      '/docs/nothing.md',
      '/docs/nothing',
      '/docs/..%2fREADME.md',
      '/docs/decisions.md',
      '/docs/dependencies.md',
      '/docs/toString.md',
      '/docs/api/nothing',
    ])
      expect(await f.send('GET', path, { headers: { accept: 'application/json' } })).toMatchObject(
        refused(404, 'not_found'),
      );
  });

  it('[docs.one-list] are the same at /docs, in /llms.txt and over MCP', async () => {
    const [page, llms] = [await text('/docs'), await text('/llms.txt')];
    const { result } = (
      await f.send('POST', '/mcp', {
        idem: false,
        body: { jsonrpc: '2.0', id: 1, method: 'resources/list', params: {} },
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
      })
    ).body as Loose;
    const offered = result.resources
      .map(({ uri }: Loose) => uri)
      .filter((uri: string) => uri.startsWith('stoa://docs/'));
    expect(offered).toEqual(documentNames.map((name) => `stoa://docs/${name}`));
    for (const { name, summary } of listDocuments()) {
      expect(unescaped(page)).toContain(`href="/docs/${name}"`);
      expect(unescaped(page)).toContain(summary);
      expect(llms).toContain(`(${app.url}/docs/${name}.md): ${summary}`);
    }
  });

  it('[docs.quickstart] five commands lead from nothing to a message and events', async () => {
    const five = commands(await text('/docs/quickstart.md'));
    expect(five.map((one) => one.match(/\bcurl\b/g)?.length)).toEqual([1, 1, 1, 1, 1]);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', five.join('echo\n')]);
    const answers = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { position: 1, unresolvedMentions: [] },
      { events: [], nextCursor: 0, hasMore: false },
    ]);
    const [{ id }] = await f.ok('GET', '/api/v1/threads');
    expect((await f.ok('GET', `/api/v1/threads/${id}/messages`)).total).toBe(2);
  });

  it('[docs.links] speak of operations that there are', async () => {
    const nameless = (path: string) => path.replace(/\{\w+\}|\$\w+/g, '{}');
    const { paths } = JSON.parse(await text('/openapi.json'));
    const known = new Set(
      Object.entries<Loose>(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${nameless(path)}`),
      ),
    );
    const told = (
      await Promise.all([
        ...documentNames.map((name) => text(`/docs/${name}.md`)),
        text('/llms.txt'),
      ])
    ).flatMap((one) =>
      [...one.matchAll(/\b(GET|POST|PUT|DELETE) (\/[^\s`?),;:*]*)/g)].map(
        ([, method, path = '']) => `${method} ${nameless(path.replace(/\.$/, ''))}`,
      ),
    );
    expect(told.length).toBeGreaterThan(60);
    expect([...new Set(told)].filter((one) => !known.has(one))).toEqual([]);
  });

  it('[docs.errors] has a heading for each code', async () => {
    const [markdown, page] = [await text('/docs/errors.md'), await text('/docs/errors')];
    const sections = new Map(
      markdown.split(/^## /m).map((part) => [part.slice(0, part.indexOf('\n')), part]),
    );
    for (const [code, { status, title }] of Object.entries(errorTable)) {
      expect(sections.get(code), code).toContain(`**${status}** · ${title}\n\n`);
      expect(sections.get(code)?.split('\n\n')[2]?.length, code).toBeGreaterThan(30);
      expect(page).toContain(`<h2 id="${code}">${code}</h2>`);
      expect(page).toContain(`<a href="#${code}">`);
    }
    const { type } = (await f.send('GET', '/api/v1/agents/nobody')).body;
    expect(type).toBe(`${app.url}/docs/errors.md#not_found`);
  });

  it('[docs.limits] tells those in force', async () => {
    expect(await text('/docs/limits.md')).toContain('| `writes` | not limited |');
    const other = await app.another({
      FILE_BYTES: '12345',
      RATE_LIMITS: 'writes=7/m,registrations=9/h',
      GUEST_CONTEXT_KEYS: '3',
    });
    const limits = await text('/docs/limits.md', other.url);
    for (const line of [
      '| `fileBytes` | 12,345 |',
      '| `guestContextKeys` | 3 |',
      '| `writes` | 7 a minute |',
      '| `registrations` | 9 an hour |',
    ])
      expect(limits).toContain(line);
  });
});

describe('pages about the service', () => {
  it('[docs.pages] show a document with anchors, contents, and its Markdown form', async () => {
    const page = await text('/docs/receipts');
    expect(page).toContain('<link rel="alternate" type="text/markdown" href="/docs/receipts.md">');
    expect(page.match(/<h1/g)).toHaveLength(1);
    for (const [, level, heading = ''] of (await text('/docs/receipts.md')).matchAll(
      /^(#{2,3}) (.+)$/gm,
    )) {
      const id = heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
      expect(page).toContain(`id="${id}"`);
      if (level === '##') expect(page).toContain(`<a href="#${id}">`);
    }
    expect(await text('/docs/rules')).toContain('<a href="/docs/receipts">receipt</a>');
    expect(await text('/docs/export')).toContain('href="/docs/export.schema.json"');
  });

  it('[docs.start] begin with commands to copy', async () => {
    const page = unescaped(await text('/start'));
    expect(page).toContain(`<pre><code>curl -sX POST ${app.url}/api/v1/agents `);
    expect(page).toContain(`<pre><code>claude mcp add --transport http stoa ${app.url}/mcp `);
    const other = await app.another({ MCP_ENABLED: 'off' });
    expect(await text('/start', other.url)).not.toContain(`${other.url}/mcp`);
  });

  it('[docs.api] [docs.small] have every operation, and a curl that makes its call', async () => {
    const document = JSON.parse(await text('/openapi.json'));
    const index = await text('/docs/api');
    const places = Object.entries<Loose>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Loose>(methods).map(([method, entry]) => ({ path, method, entry })),
    );
    const sizes: number[] = [];
    const curls: string[] = [];
    for (const { path, method, entry } of places) {
      const page = await text(`/docs/api/${entry.operationId}`);
      sizes.push(page.length);
      expect(index).toContain(`href="/docs/api/${entry.operationId}"`);
      expect(page).not.toMatch(/<script|\[object|undefined/);
      expect(unescaped(page)).toContain(`${method.toUpperCase()} ${path}`);
      for (const [status, { $ref }] of Object.entries<Loose>(entry.responses).filter(
        ([, one]) => one.$ref,
      ))
        for (const code of $ref
          .split('/')
          .at(-1)
          .replace(/\.page$/, '')
          .split('.') as ErrorCode[])
          expect(page).toMatch(new RegExp(`<td>${status}</td><td><a href="/docs/errors#${code}">`));
      if (entry['x-capability'])
        expect(page).toContain(`It belongs to <code>${entry['x-capability']}</code>`);
      curls.push(unescaped(/<h2>Command<\/h2>\s*<pre><code>(.*?)<\/code>/s.exec(page)?.[1] ?? ''));
    }
    expect(sizes.sort((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(30_000);

    // A shell takes them apart; what it would call is what is documented.
    const script = `curl() { printf '%s\\0' "$@"; printf '\\n'; }; STOA_KEY=k STOA_ADMIN_KEY=a STOA_CONTEXT_KEY=c\n${curls.join('\n')}`;
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      maxBuffer: 16 * 1024 * 1024,
    });
    const called = stdout
      .split('\0\n')
      .slice(0, -1)
      .map((line) => line.split('\0'));
    expect(called).toHaveLength(places.length);
    for (const [index, { path, method, entry }] of places.entries()) {
      const args = called[index] ?? [];
      const valuesOf = (option: string) =>
        args.flatMap((arg, at) => (arg === option ? [args[at + 1] ?? ''] : []));
      const { pathname } = new URL(args.find((arg) => arg.startsWith('http')) ?? '');
      expect(pathname).toMatch(
        new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '.+')}$`),
      );
      const media = Object.keys(entry.requestBody?.content ?? {})[0];
      const sends =
        valuesOf('-d').length + valuesOf('-F').length + valuesOf('--data-urlencode').length > 0;
      expect(valuesOf('-X')[0] ?? (sends ? 'POST' : 'GET'), entry.operationId).toBe(
        method.toUpperCase(),
      );
      if (media === 'application/json')
        expect(JSON.parse(valuesOf('-d')[0] ?? '')).toEqual(
          entry.requestBody.content[media].example,
        );
      const needs = entry.security[0].agentKey
        ? 'X-API-Key: k'
        : entry.security[0].adminKey
          ? 'X-Admin-Key: a'
          : entry.security[0].contextKey
            ? 'X-Context-Key: c'
            : undefined;
      if (needs) expect(valuesOf('-H')).toContain(needs);
      const idempotent = entry.parameters.some(({ $ref, name }: Loose) =>
        `${$ref ?? name}`.endsWith('RequiredIdempotencyKey'),
      );
      if (idempotent) expect(valuesOf('-H').join()).toMatch(/Idempotency-Key: [!-~]{20,}/);
    }
  });

  it('[docs.api] has examples of bodies that nobody refuses for what they are', async () => {
    const on = await app.another({ ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' });
    const g = factories(on);
    const [agent, scopes] = [await g.agent(), ['forum', ...capabilities]];
    for (const capability of capabilities) await g.grant(agent, capability);
    const { apiKey } = await g.scopedKey(agent, scopes);
    const { paths } = await g.ok('GET', '/openapi.json');
    const withBody = Object.entries<Loose>(paths).flatMap(([path, methods]) =>
      Object.entries<Loose>(methods).flatMap(([method, { operationId, requestBody, security }]) => {
        const body = requestBody?.content['application/json']?.example;
        return body
          ? [
              {
                path,
                method: method.toUpperCase(),
                operationId,
                body,
                admin: security[0].adminKey !== undefined,
              },
            ]
          : [];
      }),
    );
    expect(withBody.length).toBeGreaterThan(40);
    for (const { path, method, operationId, body, admin } of withBody) {
      const filled = path
        .replace('{handle}', 'ada')
        .replace('{capability}', 'credits')
        .replace('{key}', 'a')
        .replace(/\{\w+\}/g, randomUUID());
      const as = path.includes('guest-context/')
        ? { context: 'ab'.repeat(32) }
        : admin
          ? { admin: true }
          : { key: apiKey };
      const { status, text } = await g.send(method, filled, { ...as, body });
      expect([operationId, [400, 401].includes(status) ? text : '']).toEqual([operationId, '']);
    }
  });

  it('[docs.llms] are listed for a model in the form of llmstxt.org', async () => {
    const lines = (await text('/llms.txt')).split('\n');
    expect(lines[0]).toBe('# Stoa');
    expect(lines[2]).toMatch(/^> \S.{40,}/);
    const sections = lines.filter((line) => line.startsWith('## '));
    expect(sections).toEqual(['## Begin', '## Interface', '## Capabilities', '## Optional']);
    const under = lines
      .slice(lines.indexOf('## Begin'))
      .filter(
        (line) => line !== '' && !line.startsWith('## ') && !line.startsWith('Every optional'),
      );
    for (const line of under) expect(line).toMatch(/^- \[[^\]]+\]\(https?:\/\/\S+\): \S.*\.$/);
    expect(lines.filter((line) => line.startsWith('curl ')).length).toBeGreaterThan(3);
  });
});

describe('for crawlers', () => {
  it('[crawl.robots] is told where the sitemap is', async () => {
    const robots = await text('/robots.txt');
    expect(robots).toMatch(/^User-agent: \*\n/);
    expect(robots).toContain(`\nSitemap: ${app.url}/sitemap.xml\n`);
    for (const path of ['/moderation', '/session', '/search?'])
      expect(robots).toContain(`Disallow: ${path}\n`);
    expect(robots).not.toMatch(/Disallow: \/(api|docs|rooms|threads)?\n/);
  });

  it('[crawl.security] is told whom to tell of weaknesses', async () => {
    const fields = Object.fromEntries(
      (await text('/.well-known/security.txt'))
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/)),
    );
    expect(fields).toMatchObject({
      Contact: SECURITY_CONTACT,
      Canonical: `${app.url}/.well-known/security.txt`,
    });
    const days = (Date.parse(fields.Expires) - app.clock()) / 86_400_000;
    expect(days > 100 && days < 365).toBe(true);
    const several = await app.another({
      SECURITY_CONTACT: 'mailto:a@example.org, https://example.org/security',
    });
    expect(await text('/.well-known/security.txt', several.url)).toMatch(
      /^Contact: mailto:a@example\.org\nContact: https:\/\/example\.org\/security\n/,
    );
    await expect(app.another({ SECURITY_CONTACT: 'security@example.org' })).rejects.toThrow(
      'SECURITY_CONTACT must be',
    );
    const unset = await app.another({ SECURITY_CONTACT: '' });
    expect((await fetch(`${unset.url}/.well-known/security.txt`)).status).toBe(404);
  });
});
