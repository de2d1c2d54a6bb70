import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { createFixture } from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, waitUntil } from '../../support/factories.ts';
import { buildAxeScript, chromePath } from './browser.ts';
import { createHostilePages, type HostilePages } from './hostile-pages.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const fixture = await createFixture(f);
const { owner, publicRoom } = fixture;

/** Runs in the page and returns what is in it that no text may add. */
const CONTENTS = `(() => {
  const all = [...document.querySelectorAll('*')];
  const activeElements = [
    'script', 'img', 'iframe', 'object', 'embed', 'base', 'math', 'video', 'audio', 'source',
    'template', 'noscript', 'animate', 'marquee', 'x',
  ];
  const links = [...document.querySelectorAll('a[href]')];
  const foreign = links.filter(
    ({ protocol, host }) => protocol === 'mailto:' || host !== location.host,
  );
  return {
    elements: all
      .filter(({ type }) => type !== 'application/ld+json')
      .map(({ localName }) => localName)
      .filter((name) => activeElements.includes(name)),
    attributes: all
      .flatMap((one) => one.getAttributeNames())
      .filter((name) => /^on|^style$|^srcdoc$|^autofocus$|^contenteditable$/.test(name)),
    schemes: [...new Set(links.map(({ protocol }) => protocol))]
      .filter((scheme) => !['http:', 'https:', 'mailto:'].includes(scheme)),
    unmarked: foreign.filter(({ rel }) => rel !== 'nofollow noopener ugc').map(({ href }) => href),
    leading: links.filter(
      ({ pathname, host }) => host === location.host && pathname === '/session/end',
    ).length,
    styles: document.querySelectorAll('style').length,
    forms: [...document.querySelectorAll('form')].filter(
      (form) => new URL(form.action).host !== location.host,
    ).length,
  };
})()`;

let browser: Browser;
let pages: HostilePages;
beforeAll(async () => {
  if (!chromePath) return;
  [browser, pages] = await Promise.all([
    chromium.launch({ executablePath: chromePath, args: ['--no-sandbox'] }),
    createHostilePages(app, f, fixture),
  ]);
});
afterAll(() => browser?.close());

/** Signs in on the page, as a person does. */
async function signIn(context: BrowserContext, key: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.url}/session`);
  await page.fill('[name=key]', key);
  await page.click('main button');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

/** Records what a page does besides rendering. */
function collectErrors(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame())
      seen.push(`request ${request.url()}`);
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

describe.skipIf(!chromePath)('pages in a browser', () => {
  it('[pages.hostile] [pages.markdown] keep hostile texts, names and titles inert', async () => {
    const context = await browser.newContext();
    const moderating = await browser.newContext();
    const acting = await browser.newContext();
    const ran: string[] = [];
    const tabs = [
      await context.newPage(),
      await signIn(moderating, ADMIN_KEY),
      await signIn(acting, pages.agent.key),
    ] as const;
    const seen = tabs.map(collectErrors);
    for (const tab of tabs) await tab.exposeFunction('pwned', () => void ran.push(tab.url()));
    for (const [index, paths] of [pages.anyone, pages.moderator, pages.agent.paths].entries()) {
      for (const path of paths) {
        const tab = tabs[index] as Page;
        expect({ path, status: (await tab.goto(app.url + path))?.status() }).toEqual({
          path,
          status: 200,
        });
        expect(tab.url()).toBe(app.url + path);
        const found = await tab.evaluate(CONTENTS);
        expect({ path, found }).toEqual({
          path,
          found: {
            elements: [],
            attributes: [],
            schemes: [],
            unmarked: [],
            leading: 0,
            styles: 1,
            forms: 0,
          },
        });
      }
    }
    // Hovering, focusing and clicking anywhere in a text leads to no place where a script runs.
    const [page] = tabs;
    await page.goto(app.url + (pages.anyone.find((path) => path.startsWith('/threads/')) ?? ''));
    for (const place of (await page.locator('article .text').all()).slice(0, 5))
      await place.hover();
    for (let presses = 0; presses < 30; presses++) await page.keyboard.press('Tab');
    expect({ seen, ran }).toEqual({ seen: [[], [], []], ran: [] });
    // The listeners work.
    await page.goto('about:blank');
    await page.setContent('<img src="https://pwned.example/x.png" onerror="pwned()">');
    await waitUntil(
      'it was heard',
      async () =>
        seen[0]?.some((one) => one.startsWith('request https://pwned.example/')) === true &&
        ran.length === 1,
    );
    await Promise.all([context, moderating, acting].map((one) => one.close()));
  });

  it('[pages.accessible] [pages.narrow] meet WCAG 2.2 AA in both schemes', {
    timeout: 900_000,
  }, async () => {
    const long = await f.createThread(owner, publicRoom);
    await f.postMessage(
      owner,
      long,
      `# Head\n\n${'unbreakable'.repeat(40)}\n\n| a | b |\n|---|--:|\n| ` +
        `${'wide'.repeat(60)} | c |\n\n- one\n\n> two\n\n\`${'code'.repeat(60)}\``,
    );
    for (let count = 0; count < 51; count++) await f.postMessage(owner, long, 'A message.');
    await f.ok('PUT', `/api/v1/threads/${long}/summary`, {
      key: owner.key,
      body: { summary: 'Done.' },
    });
    // One page stands for all pages of its kind.
    const toPageKind = (path: string): string =>
      path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|agent-\d+/, '').replace(/q=.*/, '');
    const pickOneOfEachKind = (paths: readonly string[]): string[] => [
      ...new Map(paths.map((path) => [toPageKind(path), path])).values(),
    ];
    const fixed = [
      '/start',
      '/docs',
      '/docs/receipts',
      '/docs/api',
      '/docs/api/createThread',
      '/search',
      '/claims',
      '/session',
      '/credentials',
      '/moderation',
    ];
    const open = [
      ...pickOneOfEachKind(pages.anyone),
      ...fixed,
      `/threads/${long}`,
      `/threads/${long}?watch=1`,
      `/threads/${long}?all=1`,
      '/moderation/intake',
      '/nothing/here',
    ];
    expect(open.length).toBeGreaterThan(25);
    const wrong: object[] = [];
    for (const [key, paths] of [
      ['', open],
      [ADMIN_KEY, pickOneOfEachKind(pages.moderator)],
      [pages.agent.key, pages.agent.paths],
    ] as const) {
      // The policy allows no script, not even that of the check, which belongs to the test and not
      // to the page.
      const context = await browser.newContext({
        viewport: { width: 320, height: 640 },
        bypassCSP: true,
      });
      // A watched page would load itself again while it is checked.
      await context.route('**/threads/*watch=1', async (route) => {
        const response = await route.fetch();
        const { refresh, ...headers } = response.headers();
        expect(refresh).toMatch(/^20; url=/);
        await route.fulfill({ response, headers });
      });
      const tab = key === '' ? await context.newPage() : await signIn(context, key);
      for (const path of paths) {
        await tab.goto(app.url + path);
        await tab.addScriptTag({ content: axe.source });
        for (const colorScheme of ['light', 'dark'] as const) {
          await tab.emulateMedia({ colorScheme });
          const violations = (await tab.evaluate(buildAxeScript(colorScheme))) as string[];
          for (const violation of violations) wrong.push({ path, colorScheme, violation });
        }
        const [scrolls, shows] = (await tab.evaluate(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        )) as number[];
        if (scrolls !== shows) wrong.push({ path, scrolls });
      }
      await context.close();
    }
    expect(wrong).toEqual([]);
  });

  it('[pages.thread-density] show seven short messages of a thread at 1280 by 800', async () => {
    const id = await f.createThread(owner, publicRoom, { body: 'The first one.' });
    for (let count = 1; count < 12; count++)
      await f.postMessage(count % 2 ? fixture.member : owner, id, `Short message ${count}.`);
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await tab.goto(`${app.url}/threads/${id}`);
    const shown = await tab.evaluate(
      `[...document.querySelectorAll('article')]
        .filter((one) => one.getBoundingClientRect().bottom <= innerHeight).length`,
    );
    expect(shown).toBeGreaterThanOrEqual(7);
    await tab.close();
  });

  it('[pages.whole-rows] show counts whole, and the language of code above it', async () => {
    const text = `\`\`\`ts\n${'wide '.repeat(60)}\n\`\`\``;
    const id = await f.createThread(owner, publicRoom, { body: text });
    await app.app.env.db.run(sql`UPDATE threads SET message_count = 1234567 WHERE id = ${id}`);
    const tab = await browser.newPage();
    for (const width of [1280, 1100, 800, 390]) {
      await tab.setViewportSize({ width, height: 800 });
      await tab.goto(app.url);
      const [cut, count] = (await tab.evaluate(`(() => {
        const cells = [...document.querySelectorAll('.cell')];
        return [
          cells.filter((one) => one.scrollWidth > one.clientWidth + 1).length,
          cells.filter((one) => one.textContent === '1,234,567 messages').length,
        ];
      })()`)) as number[];
      expect({ width, cut, count }).toEqual({ width, cut: 0, count: 1 });
    }
    await tab.goto(`${app.url}/threads/${id}`);
    expect(
      await tab.evaluate(
        `getComputedStyle(document.querySelector('pre[data-lang]'), '::before').display`,
      ),
    ).toBe('block');
    await tab.close();
  });

  it('[pages.print] print a thread dark on light', async () => {
    const tab = await browser.newPage({ bypassCSP: true });
    await tab.goto(app.url + (pages.anyone.find((path) => path.startsWith('/threads/')) ?? ''));
    await tab.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await tab.addScriptTag({ content: axe.source });
    expect(await tab.evaluate(buildAxeScript('dark'))).toEqual([]);
    expect(
      await tab.evaluate("getComputedStyle(document.querySelector('.outcome')).backgroundColor"),
    ).toBe('rgb(246, 243, 238)');
    for (const gone of ['nav', 'footer', 'form'])
      expect(await tab.locator(`${gone}:visible`).count()).toBe(0);
    await tab.close();
  });
});
