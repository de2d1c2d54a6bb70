import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { buildProblem, factories, type TestAgent, waitUntil } from '../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const MIB = 1024 * 1024;

/** Creates an agent with a message that it may attach files to. */
async function createSender() {
  const agent = await f.createAgent();
  const thread = await f.createThread(agent, await f.createRoom(agent));
  const { id } = await f.ok('POST', `/api/v1/threads/${thread}/messages`, {
    key: agent.key,
    body: { body: 'Files' },
  });
  return { agent, path: `/api/v1/messages/${id}/files` };
}

interface Sender {
  readonly agent: TestAgent;
  readonly path: string;
}

const BOUNDARY = 'form-boundary';
const FORM_HEAD = [
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="file"; filename="f.bin"',
  'Content-Type: application/octet-stream',
  '\r\n',
].join('\r\n');

/** Begins an upload that announces `length` bytes, sends `sent` of its file and then no more. */
function beginUpload({ url }: TestApp, { agent, path }: Sender, length: number, sent: number) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `X-API-Key: ${agent.key}`,
    `Idempotency-Key: ${randomUUID()}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${length}`,
    '\r\n',
  ];
  socket.write(head.join('\r\n') + FORM_HEAD);
  socket.write(Buffer.alloc(sent));
  return socket;
}

/** Reads the beginning of an answer that comes although the request is not complete. */
async function readStatus(socket: Socket): Promise<number> {
  const [piece] = await once(socket, 'data');
  socket.destroy();
  return Number(String(piece).split(' ')[1]);
}

/** Lists the sizes of the files that are arriving. */
function listArriving({ dataDir }: TestApp): number[] {
  const folder = join(dataDir, 'files', 'arriving');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => statSync(join(folder, name)).size);
}

const nothingArrives = () => waitUntil('nothing is left', () => listArriving(app).length === 0);

describe('an upload that never ends', () => {
  it('[attack.2-3] uses up the day of its agent before a byte is written', async () => {
    const node = await app.startNode({ AGENT_BYTES_PER_DAY: '1000000' });
    const sender = await createSender();
    const attach = (size: number) =>
      factories(node).send('POST', sender.path, {
        key: sender.agent.key,
        file: { name: randomUUID(), bytes: Buffer.alloc(size) },
      });
    const socket = beginUpload(node, sender, 900_000, 800_000);
    await waitUntil('it has arrived', () => listArriving(app)[0] === 800_000);
    expect(await readStatus(beginUpload(node, sender, 900_000, 800_000))).toBe(422);
    expect(await attach(200_000)).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 1_000_000 }),
    );
    expect(listArriving(app)).toEqual([800_000]);
    socket.destroy();
    await nothingArrives();
    // All of it is given back, and of a file whatever it does not have.
    expect((await attach(900_000)).status).toBe(200);
    expect((await attach(90_000)).status).toBe(200);
    expect((await attach(90_000)).status).toBe(422);
  });

  it('[attack.2-3] is answered again when the day is used up', async () => {
    const node = factories(await app.startNode({ AGENT_BYTES_PER_DAY: '20000' }));
    const { agent, path } = await createSender();
    const file = { name: 'again', bytes: Buffer.alloc(15_000) };
    const attach = (idem: string) => node.send('POST', path, { key: agent.key, file, idem });
    const first = await attach('once');
    expect(first.status).toBe(200);
    const second = await attach('once');
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect((await attach('twice')).status).toBe(422);
  });

  it('[attack.2-3] has a limit by agent', async () => {
    const node = await app.startNode();
    const sender = await createSender();
    const sockets = Array.from({ length: 4 }, () => beginUpload(node, sender, 5_000, 1_000));
    const { load } = node.app.env;
    await waitUntil('all have begun', () => load.measure('uploads') === 4);
    const attach = ({ agent, path }: Sender) =>
      factories(node).send('POST', path, { key: agent.key, file: { name: 'a', bytes: 'a' } });
    const refused = await attach(sender);
    expect(refused).toMatchObject(buildProblem(429, 'rate_limited', { retryAfterSeconds: 2 }));
    expect(refused.body.detail).toContain('at most 4 at once');
    expect((await attach(await createSender())).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await waitUntil('all are over', () => load.measure('uploads') === 0);
    expect((await attach(sender)).status).toBe(200);
    await nothingArrives();
    await waitUntil('nothing is reserved', () => node.app.env.disk.reservedBytes === 0);
  });

  it('[attack.2-3] leaves the free disk above its floor', async () => {
    const node = await app.startNode();
    const { disk } = node.app.env;
    const more = 2 * Number(await disk.readFreeBytes());
    const sender = await createSender();
    const length = 8 * MIB;
    // What uploads under way may still write counts as if it were written.
    const endOthers = disk.reserve(more);
    expect(await readStatus(beginUpload(node, sender, length, 1_000))).toBe(503);
    endOthers();
    expect(disk.reservedBytes).toBe(0);
    const socket = beginUpload(node, sender, length, 1_000);
    await waitUntil('it has begun', () => listArriving(app)[0] === 1_000);
    await waitUntil(
      'what has arrived is not reserved any more',
      () => disk.reservedBytes === length - 1_000,
    );
    // Others need the disk meanwhile, so it may not go on.
    const endLater = disk.reserve(more);
    const answered = readStatus(socket);
    socket.write(Buffer.alloc(4 * MIB));
    expect(await answered).toBe(503);
    endLater();
    expect(disk.reservedBytes).toBe(0);
    await nothingArrives();
  });
});
