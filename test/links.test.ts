import { describe, expect, it } from 'vitest';
import { errorTable } from '../src/kernel/errors.ts';
import { startApp } from './app.ts';
import { everythingOff, everythingOn } from './everything.ts';
import { factories, type Loose } from './factories.ts';
import { createWorld } from './world.ts';

const app = await startApp(await everythingOn());
const f = factories(app);
const world = await createWorld(f);
const { receiptId } = await f.post(world.owner, world.threads.open, 'A message with an address of ours: see @ada');
await f.attach(world.owner, (await f.post(world.owner, world.threads.open, 'A file')).id);
const off = await app.another(everythingOff);

interface Found {
  readonly status: number;
  readonly media: string;
  readonly text: string;
}

const unescaped = (html: string): string => html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** Addresses of this service in an answer. In Markdown and text those that are written out, and links; none with a place left open. */
function addressesIn({ media, text }: Found, from: string, base: string): string[] {
  const of = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, address = '']) => address);
  const inHtml = () => of(/<(?:a|link)\b[^>]*\bhref="([^"]*)"/g).concat(of(/<form method="get" action="([^"]*)"/g));
  const literal = new RegExp(`(${base.replaceAll('.', '\\.')}[^\\s"'\`<>()|\\\\]*)`, 'g');
  const found =
    media === 'text/html'
      ? inHtml().map(unescaped)
      : media === 'text/markdown'
        ? of(/\]\(([^)\s]+)\)/g).concat(of(literal))
        : /^text\/plain|xml$/.test(media)
          ? of(literal)
          : [];
  return found
    .filter((address) => !/[{}$<>…]|:\/\/[^/]*\.\.\.|%7B/i.test(address))
    .map((address) => new URL(address.replace(/[.,:;]+$/, ''), base + from))
    .filter(({ origin }) => origin === base)
    .map(({ pathname, search, hash }) => pathname + search + hash);
}

/** Other than a GET, or endless. */
const isSkipped = (path: string): boolean => ['/mcp', '/api/v1/events/stream'].includes(path);

/** Follows every link from the seeds. What is wrong with each that leads nowhere. */
async function crawl(base: string, seeds: readonly string[]): Promise<{ readonly visited: ReadonlyMap<string, Found>; readonly faults: string[] }> {
  const visited = new Map<string, Found>();
  const faults: string[] = [];
  const queue = seeds.map((address) => ({ address, from: 'a seed' }));
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { address, from } = next;
    const [path = '', anchor] = address.split('#');
    if (isSkipped(path)) continue;
    let found = visited.get(path);
    if (!found) {
      const response = await fetch(base + path, { headers: { accept: 'text/html, */*' } });
      found = { status: response.status, media: response.headers.get('content-type')?.split(';')[0] ?? '', text: await response.text() };
      visited.set(path, found);
      for (const one of addressesIn(found, path, base)) queue.push({ address: one, from: path });
    }
    // Some are for whoever has a key: that they are told so shows that they are there.
    const fault = ![200, 401, 403].includes(found.status)
      ? String(found.status)
      : anchor && found.media === 'text/html' && !found.text.includes(`id="${unescaped(decodeURIComponent(anchor))}"`)
        ? 'no such anchor'
        : anchor && found.media === 'text/markdown' && !found.text.match(new RegExp(`^#+ ${anchor.replaceAll('-', '.')}$`, 'im'))
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

/** Pages that are still being built. */
const later = ['/adjudication', '/tasks', '/log', '/docs/tasks.md', '/docs/reputation.md', '/docs/tasks', '/docs/reputation'];
const settled = (faults: readonly string[]): string[] => faults.filter((fault) => !later.some((path) => fault.includes(` links ${path}`)));

describe('links', () => {
  it('[docs.links] lead somewhere with every capability on', { timeout: 120_000 }, async () => {
    const { visited, faults } = await crawl(app.url, await seedsOf(app.url));
    expect(settled(faults)).toEqual([]);
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
    expect(settled(faults)).toEqual([]);
    expect(visited.get('/wallet')?.status).toBe(200);
  });

  it('[docs.links] that lead nowhere are found', async () => {
    const answers: Loose = await crawl(app.url, ['/nothing-here', '/docs/errors#nothing', '/docs/errors.md#nothing']);
    expect(answers.faults.sort()).toEqual([
      'a seed links /docs/errors#nothing: no such anchor',
      'a seed links /docs/errors.md#nothing: no such heading',
      'a seed links /nothing-here: 404',
    ]);
  });
});
