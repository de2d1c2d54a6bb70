import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { documentNames, listDocuments } from '../../../src/kernel/documents/documents.ts';
import { type ErrorCode, errorTable } from '../../../src/kernel/errors.ts';
import { capabilities } from '../../../src/kernel/scopes.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { SECURITY_CONTACT, startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const fetchText = async (path: string, url = app.url): Promise<string> => {
  const answer = await fetch(url + path);
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return answer.text();
};
const run = promisify(execFile);

/** Returns the commands of a document as a reader copies them. */
const listCommands = (markdown: string): string[] =>
  [...markdown.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = '']) => code);
/** Returns a page with its commands as a person copies them, without the marks around words. */
const readCommands = (page: string): string => unescapeHtml(page.replaceAll(/<\/?span>/g, ''));

const unescapeHtml = (html: string): string =>
  html.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as 'amp'],
  );

describe('getDocument', () => {
  it.for(documentNames)(
    '[docs.names] returns %s as Markdown with the address of this installation',
    async (name) => {
      const answer = await f.send('GET', `/docs/${name}.md`);
      expect({
        status: answer.status,
        contentType: answer.headers.get('content-type'),
      }).toEqual({ status: 200, contentType: 'text/markdown; charset=utf-8' });
      expect(answer.text).toMatch(/^# \S.+\n\n\S/);
      expect(answer.text).not.toMatch(/\{(base_url|errors|limits|rates)\}|stoa\.example\.org/);
      const etag = answer.headers.get('etag') ?? '';
      expect(
        (await fetch(`${app.url}/docs/${name}.md`, { headers: { 'if-none-match': etag } })).status,
      ).toBe(304);
    },
  );

  it('[docs.names] answers not_found for an unknown name', async () => {
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
        buildProblem(404, 'not_found'),
      );
  });

  it('[docs.one-list] serves the same list at /docs, in /llms.txt and over MCP', async () => {
    const page = await fetchText('/docs');
    const llms = await fetchText('/llms.txt');
    const { result } = (
      await f.send('POST', '/mcp', {
        idem: false,
        body: { jsonrpc: '2.0', id: 1, method: 'resources/list', params: {} },
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
      })
    ).body as Json;
    const offered = result.resources
      .map(({ uri }: Json) => uri)
      .filter((uri: string) => uri.startsWith('stoa://docs/'));
    expect(offered).toEqual(documentNames.map((name) => `stoa://docs/${name}`));
    for (const { name, summary } of listDocuments()) {
      expect(unescapeHtml(page)).toContain(`href="/docs/${name}"`);
      expect(unescapeHtml(page)).toContain(summary);
      expect(llms).toContain(`(${app.url}/docs/${name}.md): ${summary}`);
    }
  });

  it('[docs.quickstart] the quickstart leads to a message and its events', async () => {
    const five = listCommands(await fetchText('/docs/quickstart.md'));
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
    const page = await f.ok('GET', `/api/v1/threads/${id}/messages`);
    expect(page.total).toBe(2);
    // The shape of the answer that the quickstart shows is that of the answer.
    const shape = /`(\{"threadId".*?\})`;/.exec(await fetchText('/docs/quickstart.md'))?.[1] ?? '';
    const shown = JSON.parse(shape.replace(', ...', ''));
    expect(Object.keys(page)).toEqual(Object.keys(shown));
    expect(Object.keys(page.messages[0])).toEqual(
      expect.arrayContaining(Object.keys(shown.messages[0])),
    );
  });

  it('[docs.links] documents name only operations that exist', async () => {
    const eraseParameters = (path: string) => path.replace(/\{\w+\}|\$\w+/g, '{}');
    const { paths } = JSON.parse(await fetchText('/openapi.json'));
    const known = new Set(
      Object.entries<Json>(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${eraseParameters(path)}`),
      ),
    );
    const told = (
      await Promise.all([
        ...documentNames.map((name) => fetchText(`/docs/${name}.md`)),
        fetchText('/llms.txt'),
      ])
    ).flatMap((one) =>
      [...one.matchAll(/\b(GET|POST|PUT|DELETE) (\/[^\s`?),;:*]*)/g)].map(
        ([, method, path = '']) => `${method} ${eraseParameters(path.replace(/\.$/, ''))}`,
      ),
    );
    expect(told.length).toBeGreaterThan(60);
    expect([...new Set(told)].filter((one) => !known.has(one))).toEqual([]);
  });

  it('[docs.errors] the errors document has a heading for each code', async () => {
    const markdown = await fetchText('/docs/errors.md');
    const page = await fetchText('/docs/errors');
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

  it('[docs.limits] the limits document states the limits in force', async () => {
    expect(await fetchText('/docs/limits.md')).toContain('| `writes` | not limited |');
    const other = await app.startNode({
      FILE_BYTES: '12345',
      RATE_LIMITS: 'writes=7/m,registrations=9/h',
      GUEST_CONTEXT_KEYS: '3',
    });
    const limits = await fetchText('/docs/limits.md', other.url);
    for (const line of [
      '| `fileBytes` | 12,345 |',
      '| `guestContextKeys` | 3 |',
      '| `writes` | 7 a minute |',
      '| `registrations` | 9 an hour |',
    ])
      expect(limits).toContain(line);
  });
});

describe('pages of documentation', () => {
  it('[docs.pages] [docs.contents] showDocument has anchors and contents', async () => {
    const page = await fetchText('/docs/receipts');
    expect(page).toContain('<link rel="alternate" type="text/markdown" href="/docs/receipts.md">');
    expect(page.match(/<h1/g)).toHaveLength(1);
    for (const [, level, heading = ''] of (await fetchText('/docs/receipts.md')).matchAll(
      /^(#{2,3}) (.+)$/gm,
    )) {
      const id = heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
      expect(page).toContain(`id="${id}"`);
      if (level === '##') expect(page).toContain(`<a href="#${id}">`);
    }
    expect(page).toContain('<nav class="rail stay wide-only" aria-label="Contents">');
    expect(page).toContain('<div class="narrow-only"><details><summary>Contents</summary>');
    expect(await fetchText('/docs/rules')).toContain('<a href="/docs/receipts">receipt</a>');
    expect(await fetchText('/docs/export')).toContain('href="/docs/export.schema.json"');
  });

  it('[docs.groups] showDocuments groups documents, and marks what is off', async () => {
    const off = await app.startNode({ CREDITS_ENABLED: 'off' });
    const page = await fetchText('/docs', off.url);
    const titles = [...page.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual(['Begin', 'Interface', 'Optional', 'Reference']);
    const names = [...page.matchAll(/class="name" href="\/docs\/([a-z-]+)"/g)].map(
      ([, name]) => name,
    );
    expect(names.toSorted()).toEqual([...documentNames].toSorted());
    expect(page).toMatch(/href="\/docs\/credits">[^<]*<\/a> <span class="tag">off<\/span>/);
    const on = await app.startNode(await allFeaturesOn());
    expect(await fetchText('/docs', on.url)).not.toContain('<span class="tag">off</span>');
  });

  it('[docs.neighbors] showDocument leads to the documents before and after it', async () => {
    const names = [
      ...(await fetchText('/docs')).matchAll(/class="name" href="\/docs\/([a-z-]+)"/g),
    ].map(([, name = '']) => name);
    for (const [index, name] of names.entries()) {
      const page = await fetchText(`/docs/${name}`);
      for (const [rel, neighbor] of [
        ['prev', names[index - 1]],
        ['next', names[index + 1]],
      ])
        if (neighbor) {
          expect(page).toContain(`<link rel="${rel}" href="/docs/${neighbor}">`);
          expect(page).toMatch(new RegExp(`<a rel="${rel}"[^>]* href="/docs/${neighbor}">`));
        } else expect(page).not.toContain(`<a rel="${rel}"`);
    }
  });

  it('[docs.start] showStart begins with commands to copy', async () => {
    const page = readCommands(await fetchText('/start'));
    expect(page).toContain(`<code>curl -sX POST ${app.url}/api/v1/agents `);
    expect(page).toContain(`<code>claude mcp add --transport http stoa ${app.url}/mcp `);
    const other = await app.startNode({ MCP_ENABLED: 'off' });
    expect(await fetchText('/start', other.url)).not.toContain(`${other.url}/mcp`);
  });

  it('[docs.api] [docs.small] showOperation has every operation and a working curl', async () => {
    const document = JSON.parse(await fetchText('/openapi.json'));
    const index = (await fetchText('/docs/api')) + (await fetchText('/docs/addresses'));
    const places = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, entry]) => ({ path, method, entry })),
    );
    const sizes: number[] = [];
    const curls: string[] = [];
    for (const { path, method, entry } of places) {
      const page = await fetchText(`/docs/api/${entry.operationId}`);
      sizes.push(page.length);
      expect(index).toContain(`href="/docs/api/${entry.operationId}"`);
      expect(page).not.toMatch(/<script|\[object|undefined/);
      expect(unescapeHtml(page)).toContain(`${method.toUpperCase()} ${path}`);
      for (const [status, { $ref }] of Object.entries<Json>(entry.responses).filter(
        ([, one]) => one.$ref,
      ))
        for (const code of $ref
          .split('/')
          .at(-1)
          .replace(/\.page$/, '')
          .split('.') as ErrorCode[])
          expect(page).toMatch(
            new RegExp(`>${status}</td><td[^>]*><a href="/docs/errors#${code}">`),
          );
      if (entry['x-capability'])
        expect(page).toContain(`It belongs to <code>${entry['x-capability']}</code>`);
      curls.push(
        readCommands(/<h2>Command<\/h2>\s*<pre[^>]*><code>(.*?)<\/code>/s.exec(page)?.[1] ?? ''),
      );
    }
    expect(sizes.sort((a, b) => a - b)[sizes.length >> 1]).toBeLessThan(30_000);

    // A shell splits the command, and the resulting call must match the documentation.
    const variables = new Set(curls.flatMap((curl) => curl.match(/\$[A-Z_]+/g) ?? []));
    const assignments = [...variables].map((name) => `${name.slice(1)}=x`).join(' ');
    const script =
      `${assignments}\n` +
      `curl() { printf '%s\\0' "$@"; printf '\\n'; }; STOA_KEY=k STOA_ADMIN_KEY=a ` +
      `STOA_CONTEXT_KEY=c\n${curls.join('\n')}`;
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
      const listValues = (option: string) =>
        args.flatMap((arg, at) => (arg === option ? [args[at + 1] ?? ''] : []));
      const { pathname } = new URL(args.find((arg) => arg.startsWith('http')) ?? '');
      expect(pathname).toMatch(
        new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '.+')}$`),
      );
      const media = Object.keys(entry.requestBody?.content ?? {})[0];
      const sends =
        listValues('-d').length + listValues('-F').length + listValues('--data-urlencode').length >
        0;
      expect(listValues('-X')[0] ?? (sends ? 'POST' : 'GET'), entry.operationId).toBe(
        method.toUpperCase(),
      );
      if (media === 'application/json')
        expect(JSON.parse(listValues('-d')[0] ?? '')).toEqual(
          entry.requestBody.content[media].example,
        );
      const needs = entry.security[0].agentKey
        ? 'X-API-Key: k'
        : entry.security[0].adminKey
          ? 'X-Admin-Key: a'
          : entry.security[0].contextKey
            ? 'X-Context-Key: c'
            : undefined;
      if (needs) expect(listValues('-H')).toContain(needs);
      const idempotent = entry.parameters.some(({ $ref, name }: Json) =>
        `${$ref ?? name}`.endsWith('RequiredIdempotencyKey'),
      );
      if (idempotent) expect(listValues('-H').join()).toMatch(/Idempotency-Key: [!-~]{20,}/);
    }
  });

  it('[docs.api] showOperation has example bodies that pass validation', async () => {
    const on = await app.startNode({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
    const g = factories(on);
    const agent = await g.createAgent();
    const scopes = ['forum', ...capabilities];
    for (const capability of capabilities) await g.grantCapability(agent, capability);
    const { apiKey } = await g.createScopedKey(agent, scopes);
    const { paths } = await g.ok('GET', '/openapi.json');
    const withBody = Object.entries<Json>(paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).flatMap(([method, { operationId, requestBody, security }]) => {
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
    const tomorrow = new Date(app.clock() + 86_400_000).toISOString();
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
      // The clock of tests is elsewhere, and the deadline of a task is at most 90 days ahead of it.
      const sent = 'deadline' in body ? { ...body, deadline: tomorrow } : body;
      const { status, text } = await g.send(method, filled, { ...as, body: sent });
      expect({ operationId, problem: [400, 401].includes(status) ? text : '' }).toEqual({
        operationId,
        problem: '',
      });
    }
  });

  it('[docs.llms] getLlmsText lists documents in the format of llmstxt.org', async () => {
    const lines = (await fetchText('/llms.txt')).split('\n');
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

  it('[docs.first-calls] getLlmsText teaches the first calls in 1,300 tokens', async () => {
    const text = await fetchText('/llms.txt');
    // Four characters are about one token.
    expect(text.length).toBeLessThanOrEqual(4 * 1_300);
    for (const call of ['/agents', '/join', '/threads', '/messages', '/me/catch-up', '/me/read/'])
      expect(text).toMatch(new RegExp(`^curl .*${call}`, 'm'));
    expect(text).toMatch(/^curl .*\/messages .*Idempotency-Key/m);
  });
});

describe('files for crawlers', () => {
  it('[crawl.robots] getRobots names the address of the sitemap', async () => {
    const robots = await fetchText('/robots.txt');
    expect(robots).toMatch(/^User-agent: \*\n/);
    expect(robots).toContain(`\nSitemap: ${app.url}/sitemap.xml\n`);
    for (const path of ['/moderation', '/session', '/search?'])
      expect(robots).toContain(`Disallow: ${path}\n`);
    expect(robots).not.toMatch(/Disallow: \/(api|docs|rooms|threads)?\n/);
  });

  it('[crawl.security] getSecurityText names the contacts for vulnerability reports', async () => {
    const fields = Object.fromEntries(
      (await fetchText('/.well-known/security.txt'))
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
    const several = await app.startNode({
      SECURITY_CONTACT: 'mailto:a@example.org, https://example.org/security',
    });
    expect(await fetchText('/.well-known/security.txt', several.url)).toMatch(
      /^Contact: mailto:a@example\.org\nContact: https:\/\/example\.org\/security\n/,
    );
    await expect(app.startNode({ SECURITY_CONTACT: 'security@example.org' })).rejects.toThrow(
      'SECURITY_CONTACT must be',
    );
    const unset = await app.startNode({ SECURITY_CONTACT: '' });
    expect((await fetch(`${unset.url}/.well-known/security.txt`)).status).toBe(404);
  });
});
