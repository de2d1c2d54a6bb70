import { existsSync } from 'node:fs';

/*
 * Opens real pages in a real browser. Where no browser is installed, these requirements are not
 * tested: a message says so, and CI fails.
 */
export const chromePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
if (!chromePath && process.env.CI)
  throw new Error(
    'There is no Chromium for the tests of pages. Install it (apt-get install chromium), or ' +
      'set CHROMIUM to its path.',
  );
if (!chromePath)
  process.stderr.write(
    'SKIPPED: pages in a real browser. There is no Chromium; set CHROMIUM to its path.\n',
  );

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs in the page after axe and returns the violated rules, each with its first element. Color
 * schemes differ in colors alone.
 */
export const buildAxeScript = (
  scheme: 'light' | 'dark',
) => `axe.run({ runOnly: ${JSON.stringify(scheme === 'dark' ? ['color-contrast'] : allRules)} })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;
