import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { type Html, html, trustHtml } from '../../src/kernel/html/html.ts';
import { type Picture, schemes, widths } from './take-pictures.ts';

/** How wide a picture of each width is on the sheet, and how much of its top the sheet shows. */
const shownWidths: Readonly<Record<Picture['width'], number>> = { 1280: 500, 390: 190, 320: 160 };
const SHOWN_HEIGHT = 430;

/** Rows of one part of the sheet: one can still read a part that is shrunk to a screen. */
const ROWS_PER_PART = 4;
const SHEET_WIDTH = 1820;

const style = `
body{margin:0;padding:16px;width:${SHEET_WIDTH - 32}px;background:#8a8a8a;font:13px system-ui}
h2{margin:0;padding:6px 0;font-size:15px}
.row{display:flex;gap:10px;height:${SHOWN_HEIGHT + 20}px}
figure{margin:0}
figcaption{height:20px;overflow:hidden;white-space:nowrap}
figure a{display:block;height:${SHOWN_HEIGHT}px;overflow:hidden;background:#777}
img{display:block;height:auto}
section{padding:0 8px}
`;

const renderPicture = ({ width, scheme, file, name }: Picture): Html =>
  html`<figure><figcaption>${width} · ${scheme}</figcaption><a href="${file}"><img
src="${file}" alt="${name}, ${width} px, ${scheme}" width="${shownWidths[width]}"
loading="lazy"></a></figure>\n`;

/** Renders the pictures of one page side by side, the widest first, light before dark. */
function renderRow(pictures: readonly Picture[]): Html {
  const figures = widths.flatMap((width) =>
    schemes.flatMap((scheme) =>
      pictures
        .filter((one) => one.width === width && one.scheme === scheme)
        .map((one) => renderPicture(one)),
    ),
  );
  const { name, path } = pictures[0] as Picture;
  return html`<h2>${name} <code>${path}</code></h2>\n<div class="row">${figures}</div>\n`;
}

/** Groups the pictures by page, in parts of the sheet. */
function splitSheet(pictures: readonly Picture[]): (readonly Picture[])[][] {
  const names = [...new Set(pictures.map(({ name }) => name))];
  const rows = names.map((name) => pictures.filter((one) => one.name === name));
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_PART) }, (_, part) =>
    rows.slice(part * ROWS_PER_PART, (part + 1) * ROWS_PER_PART),
  );
}

/** Renders the sheet: the pictures of each page in a row. */
export const renderSheet = (pictures: readonly Picture[]): string =>
  html`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>All pages</title><style>${trustHtml(style)}</style>
${splitSheet(pictures).map(
  (rows, index) => html`<section id="part-${index + 1}">${rows.map(renderRow)}</section>\n`,
)}</html>
`.text;

/** Whether the browser has every picture of a part. It runs in the page. */
const buildLoadedScript = (part: string): string =>
  `[...document.querySelectorAll('${part} img')].every((one) => one.complete)`;

/**
 * Writes `sheet.html` beside the pictures, and pictures of its parts: `sheet.png`, or `sheet-1.png`
 * and so on when there are several. Returns the names of these files.
 */
export async function writeSheet(
  browser: Browser,
  folder: string,
  pictures: readonly Picture[],
): Promise<string[]> {
  const sheet = join(resolve(folder), 'sheet.html');
  writeFileSync(sheet, renderSheet(pictures));
  const files = [];
  const parts = splitSheet(pictures);
  for (const [index] of parts.entries()) {
    const part = `#part-${index + 1}`;
    // A page of its own for each part, so that the browser forgets the pictures of the others.
    await using context = await browser.newContext({
      viewport: { width: SHEET_WIDTH, height: 4000 },
    });
    const page = await context.newPage();
    await page.goto(pathToFileURL(sheet) + part);
    await page.waitForFunction(buildLoadedScript(part));
    const file = parts.length === 1 ? 'sheet.png' : `sheet-${index + 1}.png`;
    await page.locator(part).screenshot({ path: join(folder, file) });
    files.push(file);
  }
  return ['sheet.html', ...files];
}
