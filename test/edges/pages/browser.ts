import { existsSync } from 'node:fs';

/* A real browser on real pages. Where there is none, these sentences are not proven: that is said, and under CI it is a fault. */
export const chrome = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
if (!chrome && process.env.CI)
  throw new Error(
    'There is no Chromium for the tests of pages. Install it (apt-get install chromium), or set CHROMIUM to its path.',
  );
if (!chrome)
  process.stderr.write(
    'SKIPPED: pages in a real browser. There is no Chromium; set CHROMIUM to its path.\n',
  );

/** Runs in the page, after axe: the rules that it breaks, each with the first place. Schemes differ in their colours alone. */
export const faultsIn = (
  scheme: 'light' | 'dark',
) => `axe.run({ runOnly: ${scheme === 'dark' ? "['color-contrast']" : "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"} })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;
