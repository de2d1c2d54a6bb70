import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { BenchService } from '../load/service.ts';
import type { ScreenshotPages } from './create-data.ts';
import { sendForm } from './forms.ts';

/** The widths of a desktop, of a phone, and the least one at which no page scrolls sideways. */
export const widths = [1280, 390, 320] as const;
export const schemes = ['light', 'dark'] as const;

/** A picture of a whole page. */
export interface Picture {
  /** The name of the page, such as "agent-wallet" for the wallet as an agent sees it. */
  readonly name: string;
  readonly path: string;
  readonly width: (typeof widths)[number];
  readonly scheme: (typeof schemes)[number];
  /** The name of its file in the folder of the pictures. */
  readonly file: string;
}

/** Who looks at a page: anyone, an agent, or an administrator. */
type Viewer = '' | 'agent' | 'admin';
const viewers: readonly Viewer[] = ['', 'agent', 'admin'];

const toViewer = (name: string): Viewer =>
  viewers.find((one) => one !== '' && name.startsWith(`${one}/`)) ?? '';

/** Takes a picture of each page whose name contains `only`, at each width, light and dark. */
export async function takePictures(
  browser: Browser,
  { url, adminKey }: BenchService,
  { paths, forms, agentKey }: ScreenshotPages,
  folder: string,
  only = '',
): Promise<Picture[]> {
  mkdirSync(folder, { recursive: true });
  const pictures: Picture[] = [];
  for (const viewer of viewers) {
    const pages = [
      ...Object.entries(paths).map(([name, path]) => ({ name, path, form: null })),
      ...Object.entries(forms).map(([name, form]) => ({ name, path: form.path, form })),
    ].filter(({ name }) => toViewer(name) === viewer && name.includes(only));
    for (const width of pages.length > 0 ? widths : []) {
      for (const scheme of schemes) {
        await using context = await browser.newContext({
          colorScheme: scheme,
          viewport: { width, height: 900 },
        });
        const page = await context.newPage();
        if (viewer !== '') {
          await page.goto(`${url}/session`);
          await page.fill('[name=key]', viewer === 'admin' ? adminKey : agentKey);
          await page.click('main button');
        }
        for (const { name, path, form } of pages) {
          await page.goto(url + path);
          if (form) await sendForm(page, form);
          const file = `${name.replace('/', '-')}.${width}.${scheme}.png`;
          await page.screenshot({ path: join(folder, file), fullPage: true });
          pictures.push({ name: name.replace('/', '-'), path, width, scheme, file });
        }
      }
    }
  }
  return pictures;
}
