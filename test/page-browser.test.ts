import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp } from './app.ts';
import { everythingOn } from './everything.ts';
import { factories, together, until } from './factories.ts';
import { hostileNames, hostileTexts } from './hostile-markdown.ts';
import { recorders } from './records.ts';
import { createWorld } from './world.ts';

/* A real browser on real pages. Where there is none, these sentences are not proven: that is said, and under CI it is a fault. */
const chrome = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
if (!chrome && process.env.CI)
  throw new Error('There is no Chromium for the tests of pages. Install it (apt-get install chromium), or set CHROMIUM to its path.');
if (!chrome) process.stderr.write('SKIPPED: pages in a real browser. There is no Chromium; set CHROMIUM to its path.\n');

const app = await startApp(await everythingOn());
const f = factories(app);
const world = await createWorld(f);
const { owner, publicRoom } = world;

/** Runs in the page: what is in it that no text may bring. */
const CONTENTS = `(() => {
  const all = [...document.querySelectorAll('*')];
  const links = [...document.querySelectorAll('a[href]')];
  const foreign = links.filter(({ protocol, host }) => protocol === 'mailto:' || host !== location.host);
  return {
    elements: all.map(({ localName }) => localName).filter((name) => /^(script|img|iframe|object|embed|base|math|video|audio|source|template|noscript|animate|marquee|x)$/.test(name)),
    attributes: all.flatMap((one) => one.getAttributeNames()).filter((name) => /^on|^style$|^srcdoc$|^autofocus$|^contenteditable$/.test(name)),
    schemes: [...new Set(links.map(({ protocol }) => protocol))].filter((scheme) => !['http:', 'https:', 'mailto:'].includes(scheme)),
    unmarked: foreign.filter(({ rel }) => rel !== 'nofollow noopener ugc').map(({ href }) => href),
    leading: links.filter(({ pathname, host }) => host === location.host && pathname === '/session/end').length,
    styles: document.querySelectorAll('style').length,
    forms: [...document.querySelectorAll('form')].filter((form) => new URL(form.action).host !== location.host).length,
  };
})()`;

/** Runs in the page, after axe: the rules that it breaks, each with the first place. Schemes differ in their colours alone. */
const faultsIn = (
  scheme: 'light' | 'dark',
) => `axe.run({ runOnly: ${scheme === 'dark' ? "['color-contrast']" : "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"} })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

/** Everything that a hostile text can be, wherever pages show it. */
async function hostilePages(): Promise<string[]> {
  const agents = await together(3, () => f.agent());
  for (const [index, { key }] of agents.entries())
    await f.ok('PUT', '/api/v1/me', { key, body: { displayName: hostileNames[index], description: hostileTexts[index], operator: hostileNames[index + 3] } });
  const made: string[] = agents.map(({ handle }) => `/agents/${handle}`);
  for (const [index, name] of hostileNames.slice(0, 6).entries())
    made.push(`/rooms/${(await f.ok('POST', '/api/v1/rooms', { key: owner.key, body: { name, description: hostileTexts[index], visibility: 'public' } })).id}`);
  for (let from = 0; from < hostileTexts.length; from += 19) {
    const title = hostileNames[from] ?? 'T';
    const id = await f.thread(owner, publicRoom, { title });
    const messages = [];
    for (const text of hostileTexts.slice(from, from + 19)) messages.push(await f.post(owner, id, text));
    await f.ok('PUT', `/api/v1/threads/${id}/summary`, { key: owner.key, body: { summary: hostileTexts[from] } });
    await f.attach(owner, messages[0].id, {
      name: `a">${from}<script>pwned()<script>.html`.slice(0, 100).replaceAll('/', ''),
      bytes: '<script>pwned()</script>',
    });
    made.push(`/threads/${id}`);
  }
  const about = await recorders(f).record(owner, { agent: agents[0]?.handle }, { visibility: 'public', summary: hostileTexts.slice(0, 12).join('\n') });
  await recorders(f).claim(owner, agents[0]?.id ?? '', { claim: 'alias', value: hostileNames[2] });
  for (const text of hostileTexts.slice(0, 8))
    await f.send('POST', '/api/v1/reports', { key: (await f.agent()).key, body: { targetType: 'agent', targetId: owner.id, reason: 'other', detail: text } });
  const words = ['script', 'onerror', 'pwned', '"><script>pwned()</script>'].map((q) => `/search?q=${encodeURIComponent(q)}`);
  return [...made, ...words, '/', '/rooms', '/agents', '/interactions', `/interactions/${about.id}`, `/claims?agent=${agents[0]?.handle}`];
}

let browser: Browser;
beforeAll(async () => {
  if (chrome) browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

/** Signs in on the page, as a person does. */
async function signIn(context: BrowserContext, key: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.url}/session`);
  await page.fill('#key', key);
  await page.click('main button');
  await page.getByText('You are signed in').waitFor();
  return page;
}

/** What a page does besides standing there. */
function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) seen.push(`request ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', () => seen.push('popup'));
  page.on('download', () => seen.push('download'));
  page.on('worker', () => seen.push('worker'));
  page.on('pageerror', (error) => seen.push(`error ${error.message}`));
  page.on('console', (message) => seen.push(`console ${message.text()}`));
  return seen;
}

describe.skipIf(!chrome)('in a real browser', () => {
  it('[pages.hostile] [pages.markdown] hostile texts, names and titles are inert', { timeout: 120_000 }, async () => {
    const places = await hostilePages();
    const context = await browser.newContext();
    const ran: string[] = [];
    await context.exposeFunction('pwned', () => void ran.push('pwned'));
    const page = await context.newPage();
    const seen = watch(page);
    for (const path of places) {
      await page.goto(app.url + path);
      expect(page.url()).toBe(app.url + path);
      const found = await page.evaluate(CONTENTS);
      expect([path, found]).toEqual([path, { elements: [], attributes: [], schemes: [], unmarked: [], leading: 0, styles: 1, forms: 0 }]);
    }
    // Whoever hovers, focuses and clicks somewhere in a text stays where no script runs.
    await page.goto(app.url + (places.find((path) => path.startsWith('/threads/')) ?? ''));
    for (const place of (await page.locator('.message .text').all()).slice(0, 5)) await place.hover();
    for (let presses = 0; presses < 30; presses++) await page.keyboard.press('Tab');
    expect([seen, ran]).toEqual([[], []]);
    // What listens does hear.
    await page.goto('about:blank');
    await page.setContent('<img src="https://pwned.example/x.png" onerror="pwned()">');
    await until('it was heard', async () => seen.some((one) => one.startsWith('request https://pwned.example/')) && ran.length === 1);
    await context.close();
  });

  it('[pages.accessible] [pages.narrow] every page keeps WCAG 2.2 AA, light and dark, and fits 320 px', { timeout: 180_000 }, async () => {
    const long = await f.thread(owner, publicRoom);
    await f.post(
      owner,
      long,
      `# Head\n\n${'unbreakable'.repeat(40)}\n\n| a | b |\n|---|---|\n| ${'wide'.repeat(60)} | c |\n\n- one\n\n> two\n\n\`${'code'.repeat(60)}\``,
    );
    for (let count = 0; count < 21; count++) await f.post(owner, long, 'A message.');
    await f.ok('PUT', `/api/v1/threads/${long}/summary`, { key: owner.key, body: { summary: 'Done.' } });
    const receipt = (await f.post(owner, long, 'The last one.')).receiptId;
    const interaction = (await recorders(f).record(owner, { agent: world.member.handle }, { visibility: 'public' })).id;
    const { id: report } = await f.ok('POST', '/api/v1/reports', { key: world.member.key, body: { targetType: 'thread', targetId: long, reason: 'spam' } });
    const open = [
      '/',
      '/rooms',
      `/rooms/${publicRoom}`,
      `/threads/${long}`,
      '/agents',
      `/agents/${owner.handle}`,
      '/search',
      '/search?q=message',
      '/credentials',
      `/e/${receipt}`,
    ];
    const others = [
      '/start',
      '/docs',
      '/docs/receipts',
      '/docs/api',
      '/docs/api/createThread',
      '/log',
      '/claims',
      `/claims?agent=${owner.handle}`,
      '/wallet',
      '/interactions',
      `/interactions/${interaction}`,
      '/adjudication',
      '/tasks',
      '/session',
      '/moderation/intake',
      '/moderation',
    ];
    const own = [
      '/moderation',
      `/moderation/reports/${report}`,
      `/moderation/agents/${owner.id}`,
      `/moderation/threads/${long}`,
      '/moderation/audit',
      '/session',
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      // The policy lets no script in, that of the check neither: it is the test's, not the page's.
      const context = await browser.newContext({ colorScheme, viewport: { width: 320, height: 640 }, bypassCSP: true });
      const page = await context.newPage();
      const admin = await browser.newContext({ colorScheme, viewport: { width: 320, height: 640 }, bypassCSP: true });
      const signedIn = await signIn(admin, ADMIN_KEY);
      for (const [tab, paths] of [
        [page, [...open, ...others]],
        [signedIn, own],
      ] as const) {
        for (const path of paths) {
          await tab.goto(app.url + path);
          await tab.addScriptTag({ content: axe.source });
          const faults = await tab.evaluate(faultsIn(colorScheme));
          expect([path, colorScheme, faults]).toEqual([path, colorScheme, []]);
          const [scrolls, shows] = (await tab.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]')) as number[];
          expect([path, scrolls]).toEqual([path, shows]);
        }
      }
      await Promise.all([context.close(), admin.close()]);
    }
  });
});
