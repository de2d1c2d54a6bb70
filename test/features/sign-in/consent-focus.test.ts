import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromePath } from '../../edges/pages/browser.ts';
import { startApp } from '../../support/app.ts';
import { signInClient } from './client.ts';
import { createPkce, toForm } from './requests.ts';

const app = await startApp();
const client = signInClient(app);
const clientId = await client.register();
const query = toForm({
  ...client.buildRequest(clientId, createPkce().challenge),
  handle: 'of-a-stranger',
});

let browser: Browser;
beforeAll(async () => {
  if (chromePath)
    browser = await chromium.launch({ executablePath: chromePath, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

describe.skipIf(!chromePath)('[attack.35-5] (ASVS 3.5) an address', () => {
  it.for(['/session', `/oauth/authorize?${query}`])(
    'of %s puts no focus on a field',
    async (path) => {
      const page = await browser.newPage();
      for (const name of ['key', 'handle', 'registration']) {
        await page.goto(`${app.url}${path}#${name}`);
        expect(await page.locator('[name=key]').count()).toBe(1);
        expect(await page.evaluate('document.activeElement.localName')).toBe('body');
      }
      await page.close();
    },
  );

  it('fills in no handle', async () => {
    const page = await browser.newPage();
    await page.goto(`${app.url}/oauth/authorize?${query}`);
    expect(await page.getByLabel('Handle').inputValue()).toBe('');
    await page.close();
  });
});
