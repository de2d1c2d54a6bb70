import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startService } from './load/service.ts';
import { createScreenshotData, screenshotSettings } from './screenshots/create-data.ts';
import { listMissingPages } from './screenshots/missing-pages.ts';
import { writeSheet } from './screenshots/sheet.ts';
import { takePictures } from './screenshots/take-pictures.ts';

/*
 * `npm run screenshots [-- folder [words]] [--sheet]` takes pictures of every page of an
 * installation with content, at 1280, 390 and 320 px, light and dark, for a person to look at.
 * `words` chooses the pages whose names contain them. With --sheet, all pictures are side by side
 * in `sheet.html` and `sheet.png` too. A page of the registry without a picture is an error.
 */

const { values, positionals } = parseArgs({
  options: { sheet: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder = 'data/screenshots', only] = positionals;

await using service = await startService(screenshotSettings);
const pages = await createScreenshotData(service);
const missing = listMissingPages(Object.values(pages.paths));
if (missing.length > 0)
  throw new Error(
    `These pages have no picture: ${missing.join(', ')}. Add their paths to ` +
      'bench/screenshots/create-data.ts.',
  );
await using browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const pictures = await takePictures(browser, service, pages, folder, only);
process.stdout.write(`${pictures.length} pictures are in ${folder}.\n`);
if (values.sheet)
  process.stdout.write(
    `Beside them: ${(await writeSheet(browser, folder, pictures)).join(', ')}.\n`,
  );
