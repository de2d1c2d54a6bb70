import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Json } from '../../support/factories.ts';

/** A request on its way to the service. A fault may change it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A response on its way back. A fault may change it. */
export interface Answered {
  status: number;
  readonly headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What a service that does not conform does otherwise. */
export interface Misbehavior {
  readonly onRequest?: (asked: Asked) => void;
  readonly onResponse?: (answered: Answered, asked: Asked) => void;
}

const decode = (body: Buffer, coding: string | undefined): Buffer => {
  if (coding === 'gzip') return gunzipSync(body);
  return coding === 'br' ? brotliDecompressSync(body) : body;
};

/** Changes the body of a response as text. */
export function editText(answered: Answered, edit: (text: string) => string): void {
  const text = decode(answered.body, answered.headers['content-encoding']).toString();
  answered.body = Buffer.from(edit(text));
  delete answered.headers['content-encoding'];
}

/** Changes the body of a response as JSON, if it is that. */
export function editJson(answered: Answered, edit: (body: Json) => void): void {
  if (!/json\b/.test(answered.headers['content-type'] ?? '')) return;
  editText(answered, (text) => {
    const body = JSON.parse(text);
    edit(body);
    return JSON.stringify(body);
  });
}

/** Headers that belong to one connection. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

async function readBody(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A proxy before the service, which misbehaves as it is told to. */
export interface FaultyProxy {
  readonly url: string;
  /** Where the service listens, once it does. */
  target: string;
  misbehavior: Misbehavior;
  readonly server: Server;
}

/** Sends a request on; the response as it came. */
async function forward(target: string, asked: Asked, body: Buffer): Promise<Answered> {
  const { hostname, port } = new URL(target);
  const { method, path, headers } = asked;
  const sent = request({ hostname, port, method, path, headers }).end(body);
  const [answer] = await once(sent, 'response');
  return {
    status: answer.statusCode,
    headers: { ...answer.headers },
    body: await readBody(answer),
  };
}

/** Starts a proxy that is honest at first. */
export async function startFaultyProxy(): Promise<FaultyProxy> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/' } = incoming;
    const asked = { method, path, headers: { ...incoming.headers } };
    const body = await readBody(incoming);
    proxy.misbehavior.onRequest?.(asked);
    const answered = await forward(proxy.target, asked, body);
    if (answered.status !== 304 && method !== 'HEAD')
      proxy.misbehavior.onResponse?.(answered, asked);
    for (const name of ofConnection) delete answered.headers[name];
    outgoing.writeHead(answered.status, answered.headers).end(answered.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}`,
    target: '',
    misbehavior: {},
    server,
  };
  return proxy;
}
