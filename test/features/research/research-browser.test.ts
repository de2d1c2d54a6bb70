import axe from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAxeScript, chromePath } from '../../edges/pages/browser.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { campaignSettings } from '../campaigns/setup.ts';
import { createPagesWithData } from './pages-with-data.ts';
import { researchSettings } from './setup.ts';

const app = await startApp({ ...researchSettings, ...campaignSettings });
const f = factories(app);
let browser: Browser;
beforeAll(async () => {
  if (chromePath)
    browser = await chromium.launch({ executablePath: chromePath, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

/** Computes the contrast ratio (WCAG 2.2) of two colors of the form rgb(r, g, b). */
function computeContrast(one: string, other: string): number {
  const computeLuminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [computeLuminance(one), computeLuminance(other)].sort(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

describe.skipIf(!chromePath)('research pages in a browser', async () => {
  const { research, campaigns } = await createPagesWithData(app, f);

  it('[research.plot] [research.page] show a plot as a named image and as a table', async () => {
    const rows = await f.ok('GET', research.replace('/research', '/api/v1/research/metrics'));
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 320, height: 640 },
      });
      const page = await context.newPage();
      await page.goto(app.url + research);
      const image = page.getByRole('img', { name: 'propagation: rate by day' });
      expect(await image.locator('desc').textContent()).toMatch(
        /^4 days with a rate, from 0 % to [1-9]\d(\.\d)? %; the newest is /,
      );
      const paths = await image.locator('path').all();
      const drawn = await Promise.all(paths.map((path) => path.getAttribute('d')));
      expect(drawn.join('').match(/M/g)).toHaveLength(
        rows.filter(({ rate }: Json) => rate !== null).length,
      );
      expect(await image.locator('polyline').count()).toBe(2);
      // Nothing is cut off, no two texts overlap, and the smallest of them can be read.
      const { box, texts, size, ink, ground } = (await page.evaluate(`(() => {
        const svg = document.querySelector('svg.rates');
        const edges = (one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return [left, right, top, bottom];
        };
        const letters = svg.querySelector('text');
        return {
          // The labels stand in the margin of the plot, within the page.
          box: edges(svg.closest('main')),
          texts: [...svg.querySelectorAll('text')].map(edges),
          size: letters.getBoundingClientRect().height,
          ink: getComputedStyle(svg.querySelector('polyline')).stroke,
          ground: getComputedStyle(document.body).backgroundColor,
        };
      })()`)) as { box: number[]; texts: number[][]; size: number; ink: string; ground: string };
      const [left = 0, right = 0, top = 0, bottom = 0] = box;
      for (const [l = 0, r = 0, t = 0, b = 0] of texts)
        expect({
          left: l >= left - 1,
          right: r <= right + 1,
          top: t >= top - 1,
          bottom: b <= bottom + 1,
        }).toEqual({ left: true, right: true, top: true, bottom: true });
      const isApart = (
        [l1 = 0, r1 = 0, t1 = 0, b1 = 0]: number[],
        [l2 = 0, r2 = 0, t2 = 0, b2 = 0]: number[],
      ) => r1 <= l2 || r2 <= l1 || b1 <= t2 || b2 <= t1;
      for (const [index, one] of texts.entries())
        for (const other of texts.slice(index + 1)) expect(isApart(one, other)).toBe(true);
      expect(size).toBeGreaterThan(9);
      expect(computeContrast(ink, ground)).toBeGreaterThan(3);

      await page.getByText('The same as a table').click();
      const cells = await page
        .locator('table tbody tr')
        .evaluateAll((lines) =>
          lines.map((line) => [...line.children].map((cell) => cell.textContent)),
        );
      const formatPercent = (rate: number) => `${Math.round(rate * 1000) / 10} %`;
      expect(cells.map(([, ...figures]) => figures)).toEqual(
        rows
          .toReversed()
          .map(({ rate, mature, numerator, denominator }: Json) =>
            rate === null
              ? ['', '', mature ? 'fewer than 5' : 'not yet']
              : [String(numerator), String(denominator), formatPercent(rate)],
          ),
      );
      await context.close();
    }
  });

  it(
    '[pages.accessible] [pages.narrow] [research.page] [campaign.register] ' +
      'and campaign pages meet WCAG 2.2 AA with data and fit 320 px',
    async () => {
      const context = await browser.newContext({
        viewport: { width: 320, height: 640 },
        bypassCSP: true,
      });
      const page = await context.newPage();
      for (const path of [research, campaigns]) {
        await page.goto(app.url + path);
        for (const folded of await page.locator('summary').all()) await folded.click();
        await page.addScriptTag({ content: axe.source });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect({
            path,
            colorScheme,
            violations: await page.evaluate(buildAxeScript(colorScheme)),
          }).toEqual({ path, colorScheme, violations: [] });
        }
        const [scrolls, shows] = (await page.evaluate(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        )) as number[];
        expect({ path, scrolls }).toEqual({ path, scrolls: shows });
      }
      // The notice appears verbatim to a reader.
      const shown = await page.locator('pre').allInnerTexts();
      const told = (await f.ok('GET', '/api/v1/campaigns')).flatMap(({ notices }: Json) =>
        notices.map(({ text }: Json) => text),
      );
      expect({ shown, length: told.length }).toEqual({ shown: told, length: 3 });
      await context.close();
    },
  );
});
