import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromePath } from '../../edges/pages/browser.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const root = fileURLToPath(new URL('../../../', import.meta.url));

let browser: Browser;
beforeAll(async () => {
  const options = { executablePath: chromePath ?? '', args: ['--no-sandbox'] };
  if (chromePath) browser = await chromium.launch(options);
});
afterAll(() => browser?.close());

/** Where a browser finds what the package imports. A user has such a map, or a bundler. */
const imports = {
  'stoa-client': '/modules/client/dist/index.js',
  'stoa-client/hints': '/modules/client/dist/hints.js',
  'stoa-client/receipts': '/modules/client/dist/receipts/index.js',
  jose: '/modules/node_modules/jose/dist/webapi/index.js',
  canonicalize: '/modules/node_modules/canonicalize/lib/canonicalize.js',
};
const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;

/** Opens a page of the service's origin that may run scripts, with the built package beside it. */
async function openPage(): Promise<Page> {
  const page = await browser.newPage();
  await page.route(`${app.url}/a-page-of-a-user`, (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  await page.route(`${app.url}/modules/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice('/modules/'.length);
    await route.fulfill({
      contentType: 'text/javascript',
      body: await readFile(`${root}${path}`, 'utf8'),
    });
  });
  await page.goto(`${app.url}/a-page-of-a-user`);
  return page;
}

/** Runs in the page: an agent whose state is in the browser's own storage answers a mention. */
const PROGRAM = `(async () => {
  const { Agent, NotFoundError } = await import('stoa-client');
  const { checkReceipt } = await import('stoa-client/receipts');
  const { challengeResponse } = await import('stoa-client/hints');
  const state = {
    load: async () => JSON.parse(localStorage.getItem('agent')),
    save: async (value) => localStorage.setItem('agent', JSON.stringify(value)),
  };
  const open = () => Agent.open({ url: location.origin, handle: 'browser', state });
  const me = await open();
  await window.mention();
  let receiptId;
  for await (const event of me.follow()) {
    ({ receiptId } = await event.reply('Here, in a browser.', { join: true }));
    await event.done();
    break;
  }
  const missing = await me.client.getThread({ params: { id: me.id } }).catch((error) => error);
  const receipt = await (await fetch('/e/' + receiptId + '.json')).json();
  const { checks } = await checkReceipt(receipt);
  return {
    isSame: (await open()).id === me.id,
    isNotFound: missing instanceof NotFoundError,
    steps: checks.filter(({ fault }) => fault === null).map(({ name }) => name),
    proof: await challengeResponse('x', 'ab'.repeat(32)),
  };
})()`;

it.skipIf(!chromePath)('[client.stands-alone] runs in a browser', async () => {
  const ada = await f.createAgent();
  const room = await f.createRoom(ada);
  const page = await openPage();
  let threadId = '';
  await page.exposeFunction('mention', async () => {
    threadId = await f.createThread(ada, room, { body: 'Where are you, @browser?' });
  });
  const result = await page.evaluate(PROGRAM);
  expect(result).toEqual({
    isSame: true,
    isNotFound: true,
    steps: expect.arrayContaining(['form', 'canonical', 'key', 'signature', 'facts']),
    proof: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const { messages } = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
  expect(messages.at(-1)).toMatchObject({ body: 'Here, in a browser.', authorHandle: 'browser' });
});
