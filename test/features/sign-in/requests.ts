import { createHash, randomBytes } from 'node:crypto';
import { sendRequest } from '../../support/send-request.ts';

/*
 * Requests as clients that sign in send them.
 */

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Json = any;

interface SentAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

export type Fields = Readonly<Record<string, string | undefined>>;

export const toForm = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );

export async function send(
  url: string,
  method: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<SentAnswer> {
  const answer = await sendRequest(url, { method, headers, body });
  const isJson = /[/+]json\b/.test(answer.headers.get('content-type') ?? '');
  return { ...answer, body: isJson ? JSON.parse(answer.text) : undefined };
}

export const sendForm = (url: string, fields: Fields, headers: Record<string, string> = {}) =>
  send(url, 'POST', toForm(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  });

export const sendJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  send(url, 'POST', JSON.stringify(body), { 'content-type': 'application/json', ...headers });

export function createPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
