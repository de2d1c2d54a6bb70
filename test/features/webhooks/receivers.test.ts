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
import { createTestNetwork } from '../../../src/outgoing/test-network.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { findFreePort } from '../../support/service.ts';
import { attacks } from './address-attacks.ts';
import {
  buildDialSetting,
  buildWebhookSettings,
  CA_FILE,
  computeHmac,
  createCertificate,
  exampleWebhook,
  HOST,
  SECRET,
} from './receiver.ts';

/* Runs published receivers as processes of their own. A real post reaches them by a real hint. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const docs = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'stoa-receivers-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const { key, cert } = await createCertificate();
const TLS_KEY = join(folder, 'key.pem');
const TLS_CERT = join(folder, 'cert.pem');
const PYTHON = join(folder, 'receiver.py');
writeFileSync(TLS_KEY, key);
writeFileSync(TLS_CERT, cert);
writeFileSync(PYTHON, /```python\n([\s\S]*?)```/.exec(docs)?.[1] ?? '');

interface RunningReceiver {
  /** Events that it processed, in order. */
  events(): Json[];
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a receiver and waits until it listens. */
async function run(
  command: readonly string[],
  environment: Record<string, string>,
): Promise<RunningReceiver> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH ?? '', TLS_KEY, TLS_CERT, HOOK_SECRET: SECRET, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  await waitUntil('it listens', () => {
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

/** The clock is the real one, because receivers compare times with their own. */
function setClock({ clock }: TestApp): void {
  clock.advance(Date.now() - clock());
}

const node = [process.execPath, join(root, 'dist/examples/receiver.js')];
const python = ['python3', PYTHON];
const hasPython = spawnSync('python3', ['--version']).status === 0;

/**
 * Posts, and expects that a hint makes the receiver read the event, also what it missed while it
 * was killed.
 */
async function expectEndToEnd(command: readonly string[]): Promise<void> {
  const port = await findFreePort();
  const app = await startApp(buildWebhookSettings(buildDialSetting(port)), { manualJobs: true });
  setClock(app);
  const f = factories(app);
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const roomId = await f.createRoom(bob);
  await f.joinRoom(ada, roomId);
  const threadId = await f.createThread(ada, roomId);
  const state = join(folder, `state-${port}.json`);
  const environment = { STOA_URL: app.url, STOA_KEY: ada.key, PORT: String(port), STATE: state };
  const first = await run(command, environment);

  await f.ok('PUT', '/api/v1/me/webhook', { key: ada.key, body: exampleWebhook });
  expect(await f.ok('POST', '/api/v1/me/webhook/verify', { key: ada.key })).toMatchObject({
    state: 'active',
  });
  const sendHint = async () => {
    await app.app.jobs.runDue();
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
  };
  const sent = [
    await f.postMessage(bob, threadId, 'One'),
    await f.postMessage(bob, threadId, 'Two'),
  ];
  await sendHint();
  await waitUntil('it has read them', () => first.events().length === 2);
  expect(first.events().map(({ messageId }) => messageId)).toEqual(sent.map(({ id }) => id));
  await waitUntil(
    'it has kept its cursor',
    () => existsSync(state) && JSON.parse(readFileSync(state, 'utf8')).cursor === 2,
  );

  await first.end('SIGKILL');
  const missed = await f.postMessage(bob, threadId, 'Three');
  await sendHint();
  const second = await run(command, environment);
  await waitUntil('it has caught up', () => second.events().length === 1);
  expect(second.events()[0].messageId).toBe(missed.id);
  setClock(app);
  const later = await f.postMessage(bob, threadId, 'Four');
  app.clock.advance(60_000);
  await sendHint();
  await waitUntil('it goes on', () => second.events().length === 2);
  expect(second.events()[1].messageId).toBe(later.id);
  await second.end('SIGTERM');
}

/** Expects the receiver to reject forged, old and large requests, and to take a delivery once. */
async function expectForgeriesRejected(command: readonly string[]): Promise<void> {
  const port = await findFreePort();
  const app = await startApp();
  const f = factories(app);
  const ada = await f.createAgent();
  const state = join(folder, `state-${port}.json`);
  const receiver = await run(command, {
    STOA_URL: app.url,
    STOA_KEY: ada.key,
    PORT: String(port),
    STATE: state,
  });
  const dial = createDial(
    createTestNetwork(
      [{ name: HOST, claimed: '93.184.216.34', host: '127.0.0.1', port }],
      [readFileSync(CA_FILE, 'utf8')],
    ),
  );
  const post = async (body: string, timestamp: string, signature: string) => {
    const answer = await dial({
      url: exampleWebhook.url,
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
  const signHint = (timestamp: string, secret = SECRET) =>
    `v1=${computeHmac(`${timestamp}.${hint}`, secret)}`;
  expect(await post(hint, now, signHint(now, 'ab'.repeat(32)))).toBe(401);
  expect(await post(`${hint} `, now, signHint(now))).toBe(401);
  expect(await post(hint, old, signHint(old))).toBe(401);
  expect(await post(hint, now, '')).toBe(401);
  expect(await post('x'.repeat(100_000), now, signHint(now))).toBe(413);
  // The receiver does not accept what it cannot store, so the hint is repeated.
  await waitUntil('nothing is just being kept', () => {
    try {
      mkdirSync(`${state}.new`);
      return true;
    } catch {
      return false;
    }
  });
  expect(await post(hint, now, signHint(now))).not.toBe(200);
  rmdirSync(`${state}.new`);
  for (let count = 0; count < 3; count++) expect(await post(hint, now, signHint(now))).toBe(200);
  expect(JSON.parse(readFileSync(state, 'utf8')).seen).toEqual([ada.id]);
  await receiver.end('SIGTERM');
}

describe('published receivers', () => {
  it('[client.receiver] [hint.end-to-end] in TypeScript read events', () => expectEndToEnd(node));
  it('[client.receiver] in TypeScript reject forgeries and take a delivery once', () =>
    expectForgeriesRejected(node));
  it.runIf(hasPython)('[client.python] in Python do the same', () => expectEndToEnd(python));
  it.runIf(hasPython)('[client.python] in Python reject forgeries and take a delivery once', () =>
    expectForgeriesRejected(python),
  );
});

describe('docs/webhooks.md', () => {
  it('[dial.addresses] [webhook.documented] has the tested table', () => {
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
