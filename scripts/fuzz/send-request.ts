import { randomUUID } from 'node:crypto';
import { type Agent, request } from 'node:http';
import type { FuzzRequest } from './openapi-requests.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request as it stands: `fetch` would mend its path. */
export const sendRequest = (
  agent: Agent,
  url: string,
  { method, path, contentType, body }: FuzzRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
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
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
