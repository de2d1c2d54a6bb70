import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FuzzRequest } from './openapi-requests.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** How many kept connections ended when they were used again. */
export const lostConnections = { count: 0 };

/** Returns the text of an answer, whatever it was compressed with. */
function decodeText({ headers }: IncomingMessage, bytes: Buffer): string {
  const coding = headers['content-encoding'];
  if (bytes.length === 0) return '';
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/**
 * Sends a request as it stands: `fetch` would mend its path. Of a stream, which never ends, only
 * the head is read. A server may close a kept connection at the moment in which it is used again,
 * so such a request is sent once more (RFC 9112, 9.3.1).
 */
export const sendRequest = (
  agent: Agent,
  url: string,
  sample: FuzzRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method, path, contentType, body } = sample;
    const outgoing = request(
      url,
      {
        agent,
        method,
        path,
        headers: {
          ...sample.headers,
          ...headers,
          ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
          ...(body && { 'content-type': contentType ?? '', 'content-length': body.length }),
        },
      },
      (response) => {
        const status = response.statusCode ?? 0;
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          resolve({ status, text: '' });
          response.destroy();
          return;
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          try {
            resolve({ status, text: decodeText(response, Buffer.concat(chunks)) });
          } catch (error) {
            reject(error);
          }
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', (error) => {
      if (!outgoing.reusedSocket) return reject(error);
      lostConnections.count++;
      // A connection of its own cannot have been kept.
      resolve(sendRequest(new Agent(), url, sample, headers));
    });
    outgoing.end(body ?? undefined);
  });
