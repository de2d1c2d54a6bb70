import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createDial } from '../../../src/outgoing/dial.ts';
import { testNetwork } from '../../../src/outgoing/test-network.ts';
import { attacks } from './address-attacks.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { factories, type Loose, until } from '../../support/factories.ts';
import {
  CA_FILE,
  certificate,
  dialTo,
  HOOK,
  HOST,
  hmac,
  hookSettings,
  SECRET,
} from './receiver.ts';
import { freePort } from '../../support/service.ts';

/* Receivers that people can use, as processes of their own: a real post reaches them by a real hint. */

const root = fileURLToPath(new URL('../', import.meta.url));
const docs = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'stoa-receivers-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const { key, cert } = await certificate();
const [TLS_KEY, TLS_CERT, PYTHON] = [
  join(folder, 'key.pem'),
  join(folder, 'cert.pem'),
  join(folder, 'receiver.py'),
];
writeFileSync(TLS_KEY, key);
writeFileSync(TLS_CERT, cert);
writeFileSync(PYTHON, /```python\n([\s\S]*?)```/.exec(docs)?.[1] ?? '');

interface Running {
  /** Events that it worked on, in order. */
  events(): Loose[];
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a receiver and waits until it listens. */
async function run(
  command: readonly string[],
  environment: Record<string, string>,
): Promise<Running> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH ?? '', TLS_KEY, TLS_CERT, HOOK_SECRET: SECRET, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  await until('it listens', () => {
    if (child.exitCode !== null) throw new Error(`The receiver ended: ${err}`);
    return /waiting for hints/i.test(out + err);
  });
  return {
    events: () =>
      out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    async end(signal) {
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
    },
  };
}

/** Real time: receivers look at their own clocks. */
function setClock({ clock }: TestApp): void {
  clock.advance(Date.now() - clock());
}

const node = [process.execPath, join(root, 'dist/examples/receiver.js')];
const python = ['python3', PYTHON];
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A real post becomes a hint, and the receiver reads what it is about; also after it was killed, and what it missed meanwhile. */
async function expectEndToEnd(command: readonly string[]): Promise<void> {
  const port = await freePort();
  const app = await startApp(hookSettings(dialTo(port)), { jobsByHand: true });
  setClock(app);
  const f = factories(app);
  const [ada, bob] = [await f.agent(), await f.agent()];
  const roomId = await f.room(bob);
  await f.join(ada, roomId);
  const threadId = await f.thread(ada, roomId);
  const state = join(folder, `state-${port}.json`);
  const environment = { STOA_URL: app.url, STOA_KEY: ada.key, PORT: String(port), STATE: state };
  const first = await run(command, environment);

  await f.ok('PUT', '/api/v1/me/webhook', { key: ada.key, body: HOOK });
  expect(await f.ok('POST', '/api/v1/me/webhook/verify', { key: ada.key })).toMatchObject({
    state: 'active',
  });
  const hinted = async () => {
    await app.app.jobs.runDue();
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
  };
  const sent = [await f.post(bob, threadId, 'One'), await f.post(bob, threadId, 'Two')];
  await hinted();
  await until('it has read them', () => first.events().length === 2);
  expect(first.events().map(({ messageId }) => messageId)).toEqual(sent.map(({ id }) => id));
  await until(
    'it has kept its cursor',
    () => existsSync(state) && JSON.parse(readFileSync(state, 'utf8')).cursor === 2,
  );

  await first.end('SIGKILL');
  const missed = await f.post(bob, threadId, 'Three');
  await hinted();
  const second = await run(command, environment);
  await until('it has caught up', () => second.events().length === 1);
  expect(second.events()[0].messageId).toBe(missed.id);
  setClock(app);
  const later = await f.post(bob, threadId, 'Four');
  app.clock.advance(60_000);
  await hinted();
  await until('it goes on', () => second.events().length === 2);
  expect(second.events()[1].messageId).toBe(later.id);
  await second.end('SIGTERM');
}

/** Nobody but the service is believed, nothing old or large, and a delivery is taken once. */
async function expectCareful(command: readonly string[]): Promise<void> {
  const port = await freePort();
  const app = await startApp();
  const f = factories(app);
  const ada = await f.agent();
  const state = join(folder, `state-${port}.json`);
  const receiver = await run(command, {
    STOA_URL: app.url,
    STOA_KEY: ada.key,
    PORT: String(port),
    STATE: state,
  });
  const dial = createDial(
    testNetwork(
      [{ name: HOST, claimed: '93.184.216.34', host: '127.0.0.1', port }],
      [readFileSync(CA_FILE, 'utf8')],
    ),
  );
  const post = async (body: string, timestamp: string, signature: string) => {
    const answer = await dial({
      url: HOOK.url,
      body,
      headers: { 'x-service-timestamp': timestamp, 'x-service-signature': signature },
    });
    return 'status' in answer ? answer.status : answer.failure;
  };
  const now = String(Math.floor(Date.now() / 1000));
  const old = String(Number(now) - 400);
  const hint = JSON.stringify({
    type: 'events.available',
    hookId: ada.id,
    deliveryId: ada.id,
    createdAt: new Date().toISOString(),
  });
  const sign = (timestamp: string, secret = SECRET) => `v1=${hmac(`${timestamp}.${hint}`, secret)}`;
  expect(await post(hint, now, sign(now, 'ab'.repeat(32)))).toBe(401);
  expect(await post(`${hint} `, now, sign(now))).toBe(401);
  expect(await post(hint, old, sign(old))).toBe(401);
  expect(await post(hint, now, '')).toBe(401);
  expect(await post('x'.repeat(100_000), now, sign(now))).toBe(413);
  // What cannot be kept is not taken: it comes again.
  await until('nothing is just being kept', () => {
    try {
      mkdirSync(`${state}.new`);
      return true;
    } catch {
      return false;
    }
  });
  expect(await post(hint, now, sign(now))).not.toBe(200);
  rmdirSync(`${state}.new`);
  for (let count = 0; count < 3; count++) expect(await post(hint, now, sign(now))).toBe(200);
  expect(JSON.parse(readFileSync(state, 'utf8')).seen).toEqual([ada.id]);
  await receiver.end('SIGTERM');
}

describe('a receiver that people can use', () => {
  it('[client.receiver] [hint.end-to-end] the example in TypeScript is verified, gets hints and reads events, also after a kill', () =>
    expectEndToEnd(node));
  it('[client.receiver] the example in TypeScript believes nobody else, and takes a delivery once', () =>
    expectCareful(node));
  it.runIf(hasPython)('[client.python] the one of the documentation, in Python, does so too', () =>
    expectEndToEnd(python),
  );
  it.runIf(hasPython)(
    '[client.python] it believes nobody else either, and takes a delivery once',
    () => expectCareful(python),
  );
});

describe('the documentation of webhooks', () => {
  it('[dial.addresses] [webhook.documented] has the table of addresses that is tested', () => {
    const listed = new Set([...docs.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text));
    for (const [kind, addresses] of Object.entries(attacks)) {
      if (kind === 'no address') continue;
      expect(docs).toContain(`| ${kind} |`);
      for (const address of addresses) expect(listed, address).toContain(address);
    }
  });

  it('[webhook.documented] names every state, error and reason', () => {
    for (const word of [
      'pending',
      'active',
      'failed',
      'delivery_failed',
      'credential_unavailable',
      'service-webhook/1',
      'X-Service-Challenge-Response',
    ])
      expect(docs).toContain(word);
    for (const reason of [
      'timeout',
      'tls',
      'connection',
      'address_blocked',
      'redirect',
      'status',
      'missing_proof',
      'wrong_proof',
      'superseded',
    ])
      expect(docs).toContain(`\`${reason}\``);
  });
});
