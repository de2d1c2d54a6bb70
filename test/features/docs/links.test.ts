import { describe, expect, it } from 'vitest';
import { errorTable } from '../../../src/kernel/errors.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { everythingOff, everythingOn } from '../../everything.ts';
import { factories, type Loose } from '../../support/factories.ts';
import { createWorld } from '../../operations/fixture.ts';

const app = await startApp(await everythingOn());
const f = factories(app);
const world = await createWorld(f);
const { receiptId } = await f.post(
  world.owner,
  world.threads.open,
  'A message with an address of ours: see @ada',
);
await f.attach(world.owner, (await f.post(world.owner, world.threads.open, 'A file')).id);
const { id: report } = await f.ok('POST', '/api/v1/reports', {
  key: world.member.key,
  body: { targetType: 'thread', targetId: world.threads.open, reason: 'spam' },
});
const off = await app.another(everythingOff);

interface Found {
  readonly status: number;
  readonly media: string;
  readonly text: string;
}

const unescaped = (html: string): string =>
  html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, address = '']) => address);

/** Addresses that are written out in a text, but those that go on with what is left open. */
const writtenOut = (text: string, base: string): string[] =>
  [...text.matchAll(new RegExp(`${base.replaceAll('.', '\\.')}([^\\s"'\`<>()[\\]|\\\\{$]*)`, 'g'))]
    .filter(
      ({ 0: whole, index }) =>
        !/[{<$]/.test(text[index + whole.length] ?? '') && !/\w\/$/.test(whole.slice(base.length)),
    )
    .map(([whole]) => whole.replace(/[.,:;…]+$/, ''));

/** Addresses of this service in an answer. */
function addressesIn({ media, text }: Found, from: string, base: string): string[] {
  const of: Record<string, () => string[]> = {
    'text/html': () =>
      [
        ...found(text, /<(?:a|link)\b[^>]*\bhref="([^"]*)"/g),
        ...found(text, /<form method="get" action="([^"]*)"/g),
      ].map(unescaped),
    'text/markdown': () => [...found(text, /\]\(<?([^)>\s]+)>?\)/g), ...writtenOut(text, base)],
    'text/plain': () => writtenOut(text, base),
    'application/xml': () => writtenOut(text, base),
    'application/atom+xml': () => writtenOut(text, base),
  };
  return (of[media]?.() ?? [])
    .filter((address) => !/[{}]/.test(address))
    .map((address) => new URL(address, base + from))
    .filter(({ origin }) => origin === base)
    .map(({ pathname, search, hash }) => pathname + search + hash);
}

/** Other than a GET, or endless. */
const isSkipped = (path: string): boolean => ['/mcp', '/api/v1/events/stream'].includes(path);

/** Done, or for whoever has a key: it is there. */
const passing = [200, 401, 403];

/** Follows every link from the seeds. What is wrong with each that leads nowhere. */
async function crawl(
  base: string,
  seeds: readonly string[],
  {
    follow = true,
    credentials = {},
  }: { readonly follow?: boolean; readonly credentials?: Record<string, string> } = {},
): Promise<{ readonly visited: ReadonlyMap<string, Found>; readonly faults: string[] }> {
  const visited = new Map<string, Found>();
  const faults: string[] = [];
  const queue = seeds.map((address) => ({ address, from: 'a seed' }));
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { address, from } = next;
    const [path = '', anchor] = address.split('#');
    // The documents are the same for everyone.
    if (isSkipped(path) || (Object.keys(credentials).length > 0 && path.startsWith('/docs')))
      continue;
    let answer = visited.get(path);
    if (!answer) {
      const response = await fetch(base + path, {
        headers: { accept: 'text/html, */*', ...credentials },
      });
      answer = {
        status: response.status,
        media: response.headers.get('content-type')?.split(';')[0] ?? '',
        text: await response.text(),
      };
      visited.set(path, answer);
      if (follow)
        for (const one of addressesIn(answer, path, base)) queue.push({ address: one, from: path });
    }
    // Documents show the addresses of mutations as well.
    const fault = !(
      passing.includes(answer.status) ||
      (answer.status === 405 && visited.get(from)?.media !== 'text/html')
    )
      ? String(answer.status)
      : anchor &&
          answer.media === 'text/html' &&
          !answer.text.includes(`id="${unescaped(decodeURIComponent(anchor))}"`)
        ? 'no such anchor'
        : anchor &&
            answer.media === 'text/markdown' &&
            !answer.text.match(new RegExp(`^#+ ${anchor.replaceAll('-', '.')}$`, 'im'))
          ? 'no such heading'
          : null;
    if (fault) faults.push(`${from} links ${address}: ${fault}`);
  }
  return { visited, faults };
}

async function seedsOf(base: string): Promise<string[]> {
  const facts = await (await fetch(`${base}/api/v1/capabilities`)).json();
  const addresses = JSON.stringify(facts).match(/https?:\/\/[^"]+/g) ?? [];
  const types = Object.keys(errorTable).map((code) => `/docs/errors.md#${code}`);
  return [
    '/',
    '/docs',
    '/llms.txt',
    '/start',
    '/robots.txt',
    '/sitemap.xml',
    `/e/${receiptId}`,
    ...types,
    ...addresses.filter((one) => !one.includes('{')).map((one) => one.replace(base, '') || '/'),
  ];
}

describe('links', () => {
  it('[docs.links] lead somewhere with every capability on', { timeout: 120_000 }, async () => {
    const { visited, faults } = await crawl(app.url, await seedsOf(app.url));
    expect(faults).toEqual([]);
    for (const path of [
      '/rooms',
      `/rooms/${world.publicRoom}`,
      `/threads/${world.threads.open}`,
      `/threads/${world.threads.open}/feed.atom`,
      '/docs/api/createThread',
      '/docs/webhooks.md',
    ])
      expect(visited.get(path)?.status, path).toBe(200);
    expect(visited.size).toBeGreaterThan(150);
  });

  it('[docs.links] lead somewhere with every capability off', { timeout: 120_000 }, async () => {
    const { visited, faults } = await crawl(off.url, await seedsOf(off.url));
    expect(faults).toEqual([]);
    expect(visited.get('/wallet')?.status).toBe(200);
  });

  it('[docs.links] lead somewhere for a member and for an administrator', {
    timeout: 120_000,
  }, async () => {
    const member = await crawl(
      app.url,
      ['/', `/rooms/${world.privateRoom}`, `/threads/${world.threads.hidden}`],
      {
        credentials: { 'x-api-key': world.owner.key },
      },
    );
    expect(member.faults).toEqual([]);
    expect(member.visited.get(`/threads/${world.threads.hidden}`)?.status).toBe(200);
    const administrator = await crawl(app.url, ['/', '/moderation'], {
      credentials: { 'x-admin-key': ADMIN_KEY },
    });
    expect(administrator.faults).toEqual([]);
    expect(administrator.visited.get(`/moderation/reports/${report}`)?.status).toBe(200);
  });

  it('[docs.links] that lead nowhere are found', async () => {
    const answers: Loose = await crawl(
      app.url,
      ['/nothing-here', '/docs/errors#nothing', '/docs/errors.md#nothing'],
      { follow: false },
    );
    expect(answers.faults.sort()).toEqual([
      'a seed links /docs/errors#nothing: no such anchor',
      'a seed links /docs/errors.md#nothing: no such heading',
      'a seed links /nothing-here: 404',
    ]);
  });
});
