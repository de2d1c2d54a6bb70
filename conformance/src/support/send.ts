import type { Exchange } from './exchange.ts';

/** A request as checks describe it. */
export interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with the media type of `headers`. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | FormData;
  /** Whether a refusal by a limit is what the check wants to see. */
  readonly takesRefusal?: true;
}

/** The longest wait that a limit of calls may ask for. Beyond it a check is skipped. */
const LONGEST_WAIT_MS = 65_000;

/** A check cannot be run here, for a reason that says nothing about the implementation. */
export class Skip extends Error {}

/** Bytes that an answer may have, and milliseconds until all of it is there. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
/** How often a request is sent that the installation is too busy for. */
const MAX_TRIES = 20;

/** Reads a body, which may be hostile. Errors: Error when it has too many bytes. */
async function readBytes({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  // It takes the bytes that it has, however small the pieces are.
  let bytes = new Uint8Array(4096);
  let size = 0;
  for await (const piece of body ?? []) {
    if (size + piece.length > MAX_BYTES)
      throw new Error(`an answer has more than ${MAX_BYTES} bytes`);
    if (size + piece.length > bytes.length) {
      const longer = new Uint8Array(2 * (size + piece.length));
      longer.set(bytes.subarray(0, size));
      bytes = longer;
    }
    bytes.set(piece, size);
    size += piece.length;
  }
  return bytes.slice(0, size);
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

async function sendOnce(base: string, outgoing: Outgoing): Promise<Exchange> {
  const { method, path, headers = {}, body, raw } = outgoing;
  const text = body === undefined ? null : JSON.stringify(body);
  const requestHeaders = {
    ...(text !== null && { 'content-type': 'application/json' }),
    ...headers,
  };
  const url = new URL(path, base).href;
  const payload = raw ?? text;
  const response = await fetch(url, {
    method,
    headers: requestHeaders,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(payload !== null && { body: payload }),
  });
  const bytes = await readBytes(response);
  const received = new TextDecoder().decode(bytes);
  return {
    method,
    url,
    requestHeaders,
    requestBody: text ?? (typeof raw === 'string' ? raw : raw ? '(bytes)' : null),
    status: response.status,
    headers: response.headers,
    bytes,
    text: received,
    json: parseJson(received),
  };
}

/**
 * Sends a request, and again after a refusal by a limit of calls or a busy service, as soon as that
 * refusal allows. So the kit stays within the limits of any installation.
 */
export async function send(base: string, outgoing: Outgoing): Promise<Exchange> {
  for (let tries = 1; ; tries++) {
    const exchange = await sendOnce(base, outgoing);
    const seconds = Number(exchange.headers.get('retry-after'));
    const isBusy = exchange.status === 429 || exchange.status === 503;
    if (!isBusy || !(seconds > 0) || outgoing.takesRefusal) return exchange;
    if (tries === MAX_TRIES) throw new Skip(`the installation is busy after ${tries} tries`);
    if (seconds * 1000 > LONGEST_WAIT_MS)
      throw new Skip(`the installation asks to wait ${seconds} seconds (${exchange.json?.code})`);
    await wait(seconds * 1000);
  }
}
