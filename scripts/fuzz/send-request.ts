import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { FuzzRequest } from './openapi-requests.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** How many kept connections ended when they were used again. */
export const lostConnections = { count: 0 };

/**
 * Sends a request as it stands: `fetch` would mend its path. A server may close a kept connection
 * at the moment in which it is used again, so such a request is sent once more (RFC 9112, 9.3.1).
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
          ...headers,
          ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
          ...(body && { 'content-type': contentType ?? '', 'content-length': body.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
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
