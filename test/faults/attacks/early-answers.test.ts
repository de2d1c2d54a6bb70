import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { runConcurrently, waitUntil } from '../../support/factories.ts';
import { defaults, startAttacked } from './replay.ts';

const { service, f } = await startAttacked(defaults);

/** Asks for a page as a browser does, with an address as it is: `fetch` would repair it. */
const askForPage = (path: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) =>
    request(new URL(service.url), { path, headers: { accept: 'text/html' } }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
    )
      .on('error', reject)
      .end(),
  );

const readHeld = async () =>
  /^stoa_under_way{kind="responseBytes"} (\d+)$/m.exec(
    (await f.send('GET', '/metrics', { admin: true })).text,
  )?.[1];

it('[attack.31-1] (API4) a page for an address that is no address ends no process', async () => {
  for (const path of ['/agents/%ff', '/agents/%zz', `/agents/${'x'.repeat(600)}`]) {
    const { status, body } = await askForPage(path);
    expect({ path, status, isPage: body.startsWith('<!doctype html>') }).toEqual({
      path,
      status: 400,
      isPage: true,
    });
  }
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

it('[attack.31-2] (API4) answers of probes and of malformed addresses hold nothing', async () => {
  for (let round = 0; round < 20; round++)
    for (const [path, status] of [
      ['/metrics', 401],
      ['/agents/%ff', 400],
    ] as const) {
      const { status: given, body } = await askForPage(path);
      expect({ path, given, isPage: body.startsWith('<!doctype html>') }).toEqual({
        path,
        given: status,
        isPage: true,
      });
    }
  await waitUntil('nothing is held', async () => (await readHeld()) === '0');
});

it('[attack.31-4] (API4) probes are logged by sample', async () => {
  const countLines = () =>
    service.listLogs().filter((line) => /"operation":"\/(healthz|metrics)"/.test(line)).length;
  const before = countLines();
  await runConcurrently(500, async () => (await fetch(`${service.url}/healthz`)).text());
  await fetch(`${service.url}/robots.txt`, { headers: { 'x-request-id': 'the-last' } });
  await waitUntil('the last call is logged', async () =>
    service.listLogs().some((line) => line.includes('"requestId":"the-last"')),
  );
  expect(countLines() - before).toBeLessThan(500);
  expect(countLines()).toBeGreaterThan(0);
});
