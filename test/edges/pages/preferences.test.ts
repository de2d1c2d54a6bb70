import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { chromePath } from './browser.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const { owner, publicRoom, threads } = await createFixture(f);

let browser: Browser;
beforeAll(async () => {
  if (!chromePath) return;
  browser = await chromium.launch({ executablePath: chromePath, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

/** Returns a computed property of the first element that matches. It runs in the page. */
const buildStyleScript = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector('${selector}')).${property}`;

describe.skipIf(!chromePath)('[pages.preferences] pages', () => {
  it('show what one does with a message, and the selected tab, in forced colors', async () => {
    const tab = await browser.newPage({ forcedColors: 'active' });
    await tab.goto(`${app.url}/threads/${threads.open}`);
    expect(await tab.evaluate(buildStyleScript('article .act', 'opacity'))).toBe('1');
    await tab.goto(`${app.url}/rooms/${publicRoom}`);
    expect(await tab.evaluate(buildStyleScript('.tabs [aria-current]', 'textDecorationLine'))).toBe(
      'underline',
    );
    await tab.close();
  });

  it('move nothing, so that readers who want less motion get no more of it', async () => {
    const tab = await browser.newPage({ reducedMotion: 'no-preference' });
    await tab.goto(`${app.url}/threads/${threads.open}`);
    const moving = await tab.evaluate(`[...document.querySelectorAll('*')].filter((one) => {
      const { animationName, transitionDuration } = getComputedStyle(one);
      return animationName !== 'none' || transitionDuration !== '0s';
    }).length`);
    expect(moving).toBe(0);
    await tab.close();
  });

  it('do not scroll sideways at 200 % zoom, where 1280 pixels are 640', async () => {
    const tab = await browser.newPage({ viewport: { width: 640, height: 400 } });
    const wrong: object[] = [];
    for (const path of [
      ...['/', '/rooms', `/rooms/${publicRoom}`, `/threads/${threads.open}`, '/agents'],
      ...[`/agents/${owner.handle}`, '/search?q=first', '/requests', '/tasks', '/adjudication'],
      ...['/interactions', '/claims', '/campaigns', '/wallet', '/credentials', '/research'],
      ...[
        '/log',
        '/start',
        '/docs',
        '/docs/api',
        '/docs/addresses',
        '/docs/api/createThread',
        '/rules',
      ],
    ]) {
      await tab.goto(app.url + path);
      const [scrolls, shows] = (await tab.evaluate(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      )) as number[];
      if (scrolls !== shows) wrong.push({ path, scrolls, shows });
    }
    expect(wrong).toEqual([]);
    await tab.close();
  });
});
