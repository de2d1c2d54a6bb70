import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { startService } from './load/service.ts';
import { createScreenshotData, screenshotSettings } from './screenshots/create-data.ts';

/*
 * `npm run screenshots [-- folder]` takes screenshots of every page of an installation with
 * content, narrow and wide, light and dark, for a person to look at.
 */

const [folder = 'data/screenshots', only] = process.argv.slice(2);
const WIDTHS = { narrow: 320, wide: 1280 } as const;
const SCHEMES = ['light', 'dark'] as const;

await using service = await startService(screenshotSettings);
const { paths, agentKey } = await createScreenshotData(service);
await using browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [size, width] of Object.entries(WIDTHS)) {
  for (const colorScheme of SCHEMES) {
    for (const who of ['', 'agent', 'admin']) {
      await using context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 900 },
      });
      const page = await context.newPage();
      if (who !== '') {
        await page.goto(`${service.url}/session`);
        await page.fill('#key', who === 'admin' ? service.adminKey : agentKey);
        await page.click('main button');
      }
      for (const [name, path] of Object.entries(paths)) {
        const [first] = name.split('/');
        const viewer = name.includes('/') ? first : '';
        if (viewer !== who || (only && !name.includes(only))) continue;
        await page.goto(service.url + path);
        const file = join(folder, `${name.replace('/', '-')}.${size}.${colorScheme}.png`);
        mkdirSync(dirname(file), { recursive: true });
        await page.screenshot({ path: file, fullPage: true });
      }
    }
  }
}
process.stdout.write(`The pages are in ${folder}.\n`);
