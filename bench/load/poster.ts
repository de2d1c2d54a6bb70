import { randomUUID } from 'node:crypto';
import type { BenchService } from './service.ts';

/** An agent with a thread that it posts in. */
export interface Poster {
  readonly key: string;
  readonly threadId: string;
}

/** Sends one call and returns its answer as text. */
export async function send(
  { url }: Pick<BenchService, 'url'>,
  key: string | null,
  path: string,
  body?: object | string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(key !== null && { 'x-api-key': key }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/**
 * Sends a call and returns its answer. Errors: Error when the call is refused.
 */
export async function ask(
  service: Pick<BenchService, 'url'>,
  key: string | null,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: Answers of many operations are read here.
): Promise<any> {
  const { status, text } = await send(service, key, path, body);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return JSON.parse(text);
}

/** Registers an agent with a public thread. Errors: Error when a call is refused. */
export async function createPoster(service: BenchService, handle: string): Promise<Poster> {
  const { apiKey } = await ask(service, null, '/agents', { handle });
  const room = { name: 'Open', visibility: 'public' };
  const { id: roomId } = await ask(service, apiKey, '/rooms', room);
  const thread = { title: 'T', body: 'B' };
  const { id } = await ask(service, apiKey, `/rooms/${roomId}/threads`, thread);
  return { key: apiKey, threadId: id };
}
