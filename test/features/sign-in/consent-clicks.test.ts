import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromePath } from '../../edges/pages/browser.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { signInClient } from './client.ts';
import { createPkce, toForm } from './requests.ts';

/*
 * Clicks on the consent page in a real browser. Whoever has another window in front of it can make
 * a person click twice: the first click closes that window, and the second one falls on the page.
 */

const app = await startApp();
const f = factories(app);
const client = signInClient(app);
const clientId = await client.register();
const path = `/oauth/authorize?${toForm(client.buildRequest(clientId, createPkce().challenge))}`;

/** Longer than the style keeps the button from being pressed, in milliseconds. */
const WAIT_MS = 1_200;

let browser: Browser;
beforeAll(async () => {
  if (chromePath)
    browser = await chromium.launch({ executablePath: chromePath, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

interface Opened {
  readonly page: Page;
  readonly click: (count?: number) => Promise<void>;
  readonly countSent: () => number;
}

/** Opens the page as a person with a session, with the pointer at its corner. */
async function openConsent(options: object = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${app.url}/session`);
  await page.fill('[name=key]', (await f.createAgent()).key);
  await page.click('main button');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.mouse.move(0, 0);
  await page.goto(app.url + path);
  let sent = 0;
  // Nothing is sent on: whether the form was sent is all that counts.
  await page.route('**/oauth/authorize', (route) => {
    sent += 1;
    return route.fulfill({ status: 204 });
  });
  const button = await page.getByRole('button', { name: 'Allow for' }).boundingBox();
  if (button === null) throw new Error('The page has no button that allows.');
  const place = [button.x + button.width / 2, button.y + button.height / 2] as const;
  const click = async (clickCount = 1) => {
    await page.mouse.click(...place, { clickCount });
    // A form that is sent leaves the page in a later task.
    await page.waitForTimeout(100);
  };
  return { page, click, countSent: () => sent };
}

describe.skipIf(!chromePath)('[oauth.consent-click] the button that allows', () => {
  it.for([
    ['', {}],
    ['with less motion', { reducedMotion: 'reduce' }],
  ] as const)('is not pressed by a click at once, but by one a while later %s', async ([, as]) => {
    const { page, click, countSent } = await openConsent(as);
    await page.waitForTimeout(WAIT_MS);
    await click(2);
    expect(countSent()).toBe(0);
    await page.waitForTimeout(WAIT_MS);
    await click();
    expect(countSent()).toBe(1);
    await page.context().close();
  });

  it('is pressed by a key, however soon', async () => {
    const { page, countSent } = await openConsent();
    await page.getByRole('button', { name: 'Allow for' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(countSent).toBe(1);
    await page.context().close();
  });

  it('is not pressed by a touch until the page was shown for a while', async () => {
    const { page, click, countSent } = await openConsent({ hasTouch: true, isMobile: true });
    expect(await page.evaluate("matchMedia('(hover:hover)').matches")).toBe(false);
    // The page is held at half of that time, because a busy machine may take longer to click.
    const held = '(one) => { one.pause(); one.currentTime = 400; }';
    await page.evaluate(`document.getAnimations().forEach(${held})`);
    await click();
    expect(countSent()).toBe(0);
    await page.evaluate('document.getAnimations().forEach((one) => one.play())');
    await page.waitForTimeout(WAIT_MS);
    await click();
    expect(countSent()).toBe(1);
    await page.context().close();
  });
});
