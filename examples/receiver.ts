import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createClient } from '../client/client.ts';
import { challengeResponse, HintError, verifyHint } from '../client/hints.ts';

/*
 * A receiver of hints that can be run as it is:
 *
 *   STOA_URL=https://stoa.example.org STOA_KEY=stoa_... HOOK_SECRET=<64 hex digits> PORT=8443 node dist/examples/receiver.js
 *
 * It listens on loopback, for a proxy that has the certificate and port 443; with TLS_KEY and TLS_CERT (files) it speaks TLS itself.
 * STATE names the file in which it keeps what must survive a restart. Each event is printed as a line of JSON: put your own work there.
 */

const {
  STOA_URL = 'http://127.0.0.1:8080',
  STOA_KEY,
  HOOK_SECRET = '',
  PORT = '8443',
  STATE = 'receiver-state.json',
  TLS_KEY,
  TLS_CERT,
} = process.env;
/** Far more than any hint is. */
const MAX_BYTES = 16 * 1024;
/** Retries of one hint come within a day; who has a thousand newer ones has long been told. */
const REMEMBERED = 1000;

const stoa = createClient({
  baseUrl: STOA_URL,
  ...(STOA_KEY !== undefined && { apiKey: STOA_KEY }),
});

interface State {
  /** The `nextCursor` of the last page that was processed. */
  cursor: number;
  /** Hints that were accepted, oldest first. */
  seen: string[];
}

const state: State = existsSync(STATE)
  ? (JSON.parse(readFileSync(STATE, 'utf8')) as State)
  : { cursor: 0, seen: [] };

let saving: Promise<void> = Promise.resolve();

/** Keeps the state durably: whoever is told so afterwards may forget it. */
function save(): Promise<void> {
  const write = async () => {
    const file = await open(`${STATE}.new`, 'w', 0o600);
    await file.writeFile(JSON.stringify(state));
    await file.sync();
    await file.close();
    await rename(`${STATE}.new`, STATE);
  };
  saving = saving.then(write, write);
  return saving;
}

/** Your own work. It may be done twice for one event when the process dies in between: make that harmless, by the event's id. */
function work(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function readEvents(): Promise<void> {
  for (let more = true; more; ) {
    const page = await stoa.listEvents({ query: { cursor: state.cursor } });
    for (const event of page.events) work(event);
    state.cursor = page.nextCursor;
    more = page.hasMore;
    await save();
  }
}

let owed = false;
let reading = false;

/** Reads what has arrived; once more when another hint comes meanwhile, and again when it fails: a hint that was accepted does not come back. */
async function catchUp(): Promise<void> {
  owed = true;
  if (reading) return;
  reading = true;
  while (owed) {
    owed = false;
    try {
      await readEvents();
    } catch (error) {
      owed = true;
      process.stderr.write(`Reading events failed, again in 10 s: ${error}\n`);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    }
  }
  reading = false;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Status and headers of the answer. What is accepted is on disk by then; the events are read meanwhile. */
async function answerTo(
  request: IncomingMessage,
): Promise<[status: number, headers?: Record<string, string>]> {
  if (request.method !== 'POST') return [405];
  const raw = await bodyOf(request);
  if (!raw) return [413];
  const hint = verifyHint(raw, request.headers, HOOK_SECRET, Date.now());
  if (hint.type === 'webhook.verify')
    return [
      200,
      { 'X-Service-Challenge-Response': challengeResponse(hint.challenge, HOOK_SECRET) },
    ];
  if (!state.seen.includes(hint.deliveryId)) {
    state.seen = [...state.seen, hint.deliveryId].slice(-REMEMBERED);
    void catchUp();
  }
  // Also for one that was seen before: keeping it may have failed, or not have ended.
  await save();
  return [200];
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  answerTo(request).then(
    ([status, headers = {}]) => response.writeHead(status, headers).end(),
    (error: unknown) => response.writeHead(error instanceof HintError ? 401 : 500).end(),
  );
}

const server =
  TLS_KEY && TLS_CERT
    ? createTlsServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, handle)
    : createServer(handle);
server.listen(Number(PORT), '127.0.0.1', () =>
  process.stderr.write(
    `Waiting for hints on 127.0.0.1:${(server.address() as { port: number }).port}\n`,
  ),
);
// What came while nobody listened.
void catchUp();
