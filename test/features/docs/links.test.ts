import { describe, expect, it } from 'vitest';
import { errorTable } from '../../../src/kernel/errors.ts';
import { createFixture } from '../../operations/fixture.ts';
import { allFeaturesOff, allFeaturesOn } from '../../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const fixture = await createFixture(f);
const { receiptId } = await f.postMessage(
  fixture.owner,
  fixture.threads.open,
  'A message with an address of ours: see @ada',
);
await f.attachFile(
  fixture.owner,
  (await f.postMessage(fixture.owner, fixture.threads.open, 'A file')).id,
);
const { id: report } = await f.ok('POST', '/api/v1/reports', {
  key: fixture.member.key,
  body: { targetType: 'thread', targetId: fixture.threads.open, reason: 'spam' },
});
const nodeWithoutFeatures = await app.startNode(allFeaturesOff);

interface FetchedPage {
  readonly status: number;
  readonly media: string;
  readonly text: string;
}

const unescapeHtml = (html: string): string =>
  html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

const findAddresses = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, address = '']) => address);

/** Returns the addresses written out in a text, except those that continue with a placeholder. */
const findWrittenOut = (text: string, base: string): string[] =>
  [...text.matchAll(new RegExp(`${base.replaceAll('.', '\\.')}([^\\s"'\`<>()[\\]|\\\\{$]*)`, 'g'))]
    .filter(
      ({ 0: whole, index }) =>
        !/[{<$]/.test(text[index + whole.length] ?? '') && !/\w\/$/.test(whole.slice(base.length)),
    )
    .map(([whole]) => whole.replace(/[.,:;…]+$/, ''));

/** Returns the addresses of this service in an answer. */
function listAddresses({ media, text }: FetchedPage, from: string, base: string): string[] {
  const findersByMedia: Record<string, () => string[]> = {
    'text/html': () =>
      [
        ...findAddresses(text, /<(?:a|link)\b[^>]*\bhref="([^"]*)"/g),
        ...findAddresses(text, /<form method="get" action="([^"]*)"/g),
      ].map(unescapeHtml),
    'text/markdown': () => [
      ...findAddresses(text, /\]\(<?([^)>\s]+)>?\)/g),
      ...findWrittenOut(text, base),
    ],
    'text/plain': () => findWrittenOut(text, base),
    'application/xml': () => findWrittenOut(text, base),
    'application/atom+xml': () => findWrittenOut(text, base),
  };
  return (findersByMedia[media]?.() ?? [])
    .filter((address) => !/[{}]/.test(address))
    .map((address) => new URL(address, base + from))
    .filter(({ origin }) => origin === base)
    .map(({ pathname, search, hash }) => pathname + search + hash);
}

/** These links are followed by a method other than GET, or never end. */
const isSkipped = (path: string): boolean =>
  /^\/mcp(\/|$)/.test(path) || path === '/api/v1/events/stream';

/** The target exists: it answers, or answers only callers with a key. */
const passingStatuses = [200, 401, 403];

/** Follows every link from the seeds and returns a description of each broken one. */
async function crawl(
  base: string,
  seeds: readonly string[],
  {
    follow = true,
    credentials = {},
  }: { readonly follow?: boolean; readonly credentials?: Record<string, string> } = {},
): Promise<{ readonly visited: ReadonlyMap<string, FetchedPage>; readonly faults: string[] }> {
  const visited = new Map<string, FetchedPage>();
  const faults: string[] = [];
  const queue = seeds.map((address) => ({ address, from: 'a seed' }));
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { address, from } = next;
    const [path = '', anchor] = address.split('#');
    // The documents are the same for every caller.
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
        for (const one of listAddresses(answer, path, base))
          queue.push({ address: one, from: path });
    }
    // Documents also show the addresses of mutations.
    const fault = !(
      passingStatuses.includes(answer.status) ||
      (answer.status === 405 && visited.get(from)?.media !== 'text/html')
    )
      ? String(answer.status)
      : anchor &&
          answer.media === 'text/html' &&
          !answer.text.includes(`id="${unescapeHtml(decodeURIComponent(anchor))}"`)
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

async function listSeeds(base: string): Promise<string[]> {
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
  it('[docs.links] lead somewhere with every capability on', async () => {
    const { visited, faults } = await crawl(app.url, await listSeeds(app.url));
    expect(faults).toEqual([]);
    for (const path of [
      '/rooms',
      `/rooms/${fixture.publicRoom}`,
      `/threads/${fixture.threads.open}`,
      `/threads/${fixture.threads.open}/feed.atom`,
      '/docs/api/createThread',
      '/docs/webhooks.md',
    ])
      expect(visited.get(path)?.status, path).toBe(200);
    expect(visited.size).toBeGreaterThan(150);
  });

  it('[docs.links] lead somewhere with every capability off', async () => {
    const { visited, faults } = await crawl(
      nodeWithoutFeatures.url,
      await listSeeds(nodeWithoutFeatures.url),
    );
    expect(faults).toEqual([]);
    expect(visited.has('/wallet')).toBe(false);
    const wallet = await crawl(nodeWithoutFeatures.url, ['/wallet']);
    expect(wallet.faults).toEqual([]);
    expect(wallet.visited.get('/wallet')?.status).toBe(200);
  });

  it('[docs.links] lead somewhere for a member and for an administrator', async () => {
    const member = await crawl(
      app.url,
      ['/', `/rooms/${fixture.privateRoom}`, `/threads/${fixture.threads.hidden}`],
      {
        credentials: { 'x-api-key': fixture.owner.key },
      },
    );
    expect(member.faults).toEqual([]);
    expect(member.visited.get(`/threads/${fixture.threads.hidden}`)?.status).toBe(200);
    const administrator = await crawl(app.url, ['/', '/moderation'], {
      credentials: { 'x-admin-key': ADMIN_KEY },
    });
    expect(administrator.faults).toEqual([]);
    expect(administrator.visited.get(`/moderation/reports/${report}`)?.status).toBe(200);
  });

  it('[docs.links] are reported when they lead nowhere', async () => {
    const answers: Json = await crawl(
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
