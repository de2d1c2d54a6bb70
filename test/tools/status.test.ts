import { expect, inject, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { factories } from '../support/factories.ts';
import { createFolder, runCommand, startService, toDatabaseUrl } from '../support/service.ts';

const DATABASE_URL = toDatabaseUrl(await createDatabase(inject('server')));
const KEY = 'administrator-key-of-the-status-test-0001';
const service = await startService({
  DATABASE_URL,
  DATA_DIR: createFolder(),
  ADMIN_KEYS: KEY,
});
const f = factories(service);
const NOBODY = 'http://127.0.0.1:1';

/** Runs the command while an agent calls. */
async function look(flags: string, environment: Record<string, string> = { STOA_ADMIN_KEY: KEY }) {
  let isOver = false;
  const reading = (async () => {
    while (!isOver) await f.send('GET', '/api/v1/rooms', {});
  })();
  const result = await runCommand(`status --every 0.5 ${flags}`, environment);
  isOver = true;
  await reading;
  return result;
}

it('[cli.status] shows what a node does and holds', async () => {
  const { code, out } = await look(`--url ${service.url}`);
  expect(code).toBe(0);
  expect(out).toContain(`${service.url}: ready, up 0 min`);
  expect(out).toMatch(/^ {2}listRooms +\d/m);
  expect(out).toMatch(/^ {2}Database +\d+ connections, \d+ waiting for one$/m);
  expect(out).toMatch(/^ {2}Process .* MiB of memory/m);
});

it('[cli.status] prints JSON for scripts, and says which node is away', async () => {
  const { code, out } = await look(`--url ${service.url} --url ${NOBODY} --json`);
  expect(code).toBe(1);
  const { nodes } = JSON.parse(out);
  expect(nodes).toMatchObject([
    { url: service.url, state: 'ready', summary: { all: { failed: 0 } } },
    { url: NOBODY, state: 'unreachable', summary: null },
  ]);
  expect(nodes[0].summary.all.rate).toBeGreaterThan(0);
});

it.for([
  [{}, '--once', 'Give an administrator key'],
  [{ STOA_ADMIN_KEY: 'wrong' }, '--once', 'does not take this administrator key'],
  [{ STOA_ADMIN_KEY: KEY }, '--every 0', '--every must be a number of seconds'],
  [{ STOA_ADMIN_KEY: KEY }, '--url ftp://x', '--url must be an address'],
] as const)('[cli.status] %o with %s is refused', async ([environment, flags, sentence]) => {
  const { code, err } = await runCommand(`status --url ${service.url} ${flags}`, environment);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(sentence) });
});
