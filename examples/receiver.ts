import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createClient, escapeControls } from 'stoa-client';
import { challengeResponse, HintError, verifyHint } from 'stoa-client/hints';

/*
 * A receiver of hints that can be run as it is:
 *
 *   STOA_URL=https://stoa.example.org STOA_KEY=stoa_... HOOK_SECRET=<64 hex digits> PORT=8443 \
 *     node dist/examples/receiver.js
 *
 * It listens on loopback, for a proxy that has the certificate and port 443. With TLS_KEY and
 * TLS_CERT (files) it uses TLS itself. STATE names the file with the state that must survive a
 * restart. It prints each event as a line of JSON; replace that with your own work.
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
/** The maximum size of a body, far larger than any hint. */
const MAX_BYTES = 16 * 1024;
/**
 * A hint is retried for a day at most. After a thousand newer hints, an old one needs no answer.
 */
const MAX_SEEN = 1000;

const stoa = createClient({
  baseUrl: STOA_URL,
  ...(STOA_KEY !== undefined && { apiKey: STOA_KEY }),
});

/** The state that survives a restart. */
interface State {
  /** The `nextCursor` of the last page that was processed. */
  cursor: number;
  /** The ids of accepted hints, the oldest first. */
  seen: string[];
}

const state: State = existsSync(STATE)
  ? (JSON.parse(readFileSync(STATE, 'utf8')) as State)
  : { cursor: 0, seen: [] };

let saving: Promise<void> = Promise.resolve();

/** Stores the state durably. Only then may the service forget an accepted hint. */
function saveState(): Promise<void> {
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

/**
 * Does your own work. It may run twice for one event after a crash, so make it idempotent by the
 * event's id.
 */
function handleEvent(event: object): void {
  process.stdout.write(`${escapeControls(JSON.stringify(event))}\n`);
}

/** Reads and handles all new events. */
async function readEvents(): Promise<void> {
  for (let more = true; more; ) {
    const page = await stoa.listEvents({ query: { cursor: state.cursor } });
    for (const event of page.events) handleEvent(event);
    state.cursor = page.nextCursor;
    more = page.hasMore;
    await saveState();
  }
}

let hasNewHint = false;
let isReading = false;

/**
 * Reads the new events, once more if another hint arrives in the meantime, and again after a
 * failure, because the service does not repeat an accepted hint.
 */
async function catchUp(): Promise<void> {
  hasNewHint = true;
  if (isReading) return;
  isReading = true;
  while (hasNewHint) {
    hasNewHint = false;
    try {
      await readEvents();
    } catch (error) {
      hasNewHint = true;
      process.stderr.write(`Reading events failed, trying again in 10 s: ${error}\n`);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    }
  }
  isReading = false;
}

/** Reads the body; undefined for one that is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Returns status and headers of the response. An accepted hint is on the disk by then. The events
 * are read in the background.
 */
async function answerHint(
  request: IncomingMessage,
): Promise<[status: number, headers?: Record<string, string>]> {
  if (request.method !== 'POST') return [405];
  const raw = await readBody(request);
  if (!raw) return [413];
  const hint = await verifyHint(raw, request.headers, HOOK_SECRET);
  if (hint.type === 'webhook.verify')
    return [
      200,
      { 'X-Service-Challenge-Response': await challengeResponse(hint.challenge, HOOK_SECRET) },
    ];
  if (!state.seen.includes(hint.deliveryId)) {
    state.seen = [...state.seen, hint.deliveryId].slice(-MAX_SEEN);
    void catchUp();
  }
  // A known hint is stored too, because storing it may have failed or not have ended.
  await saveState();
  return [200];
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  answerHint(request).then(
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
// Events may have arrived while this program did not run.
void catchUp();
