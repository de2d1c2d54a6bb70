import { chromium } from 'playwright-core';
import { mkdirSync } from 'node:fs';
import { startService } from './load/service.ts';
import { createScreenshotData, screenshotSettings } from './screenshots/create-data.ts';
const folder = process.argv[2]!;
mkdirSync(folder, { recursive: true });
await using service = await startService(screenshotSettings);
const { paths } = await createScreenshotData(service);
await using browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [w, h, scheme] of [[1280, 800, 'light'], [1280, 800, 'dark'], [390, 844, 'light'], [320, 700, 'dark']] as const) {
  await using context = await browser.newContext({ colorScheme: scheme, viewport: { width: w, height: h }, hasTouch: w < 500, isMobile: w < 500 });
  const page = await context.newPage();
  for (const name of ['home', 'rooms', 'room', 'thread', 'long-thread', 'agents', 'agent', 'found', 'search','docs','document']) {
    const r = await page.goto(service.url + (name === 'long-thread' ? paths[name]!.replace('?offset=20','') : paths[name]!));
    const text = await r!.text();
    const sw = await page.evaluate('document.documentElement.scrollWidth');
    console.log(w, name, text.length, sw, await page.evaluate('[...document.querySelectorAll(".message")].filter(m=>m.getBoundingClientRect().bottom<=innerHeight).length'));
    await page.screenshot({ path: `${folder}/${name}.${w}.${scheme}.png` });
  }
}
