import { randomUUID } from 'node:crypto';
import { ask } from './poster.ts';
import type { BenchService } from './service.ts';
import type { SteadyCall } from './steady-calls.ts';

const MAX_STREAM_MS = 20_000;

/** Where the calls of a soak go to, and who makes them. */
export interface SteadyTargets {
  readonly roomId: string;
  readonly threadId: string;
  /** A room that nobody posts to, so that its export is always as long, and its owner's key. */
  readonly archive: { readonly id: string; readonly key: string };
  /** A thread that everybody with a webhook follows. */
  readonly hookedThreadId: string;
  /** Keys of members of the room. */
  readonly keys: readonly string[];
}

/** Builds the calls that a soak makes besides its main load. */
export function buildSteadyCalls(
  { url }: Pick<BenchService, 'url'>,
  { roomId, threadId, archive, hookedThreadId, keys }: SteadyTargets,
): readonly SteadyCall[] {
  const pickKey = (caller: number) => keys[caller % keys.length] as string;
  const request = async (key: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { 'x-api-key': key, 'idempotency-key': randomUUID() };
    const answer = await fetch(`${url}/api/v1${path}`, { ...init, headers });
    if (answer.status !== 200) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const write = (key: string, path: string, body: object) => ask({ url }, key, path, body);
  const post = (key: string, thread: string, body: object) =>
    write(key, `/threads/${thread}/messages`, body);

  const claim = async (caller: number) => {
    const key = pickKey(caller);
    await post(keys.at(-1) as string, threadId, { body: 'Please.', follow: false, request: true });
    const began = performance.now();
    const [taken] = await write(key, '/claims/next', { roomId });
    const took = performance.now() - began;
    if (!taken) return null;
    const { fence } = taken.claim;
    const answer = { body: 'Done.', follow: false, answers: taken.messageId, fence };
    await post(key, taken.threadId, answer);
    return took;
  };
  const upload = async (caller: number) => {
    const { id } = await post(pickKey(caller), threadId, { body: 'A file.', follow: false });
    const form = new FormData();
    const bytes = randomUUID().repeat(1_000);
    form.set('file', new Blob([bytes], { type: 'text/plain' }), 'notes.txt');
    const began = performance.now();
    await request(pickKey(caller), `/messages/${id}/files`, { method: 'POST', body: form });
    return performance.now() - began;
  };
  const stream = async (caller: number) => {
    const stop = new AbortController();
    const began = performance.now();
    const answer = await request(pickKey(caller), '/events/stream', { signal: stop.signal });
    const took = performance.now() - began;
    const timer = setTimeout(() => stop.abort(), MAX_STREAM_MS);
    await answer.text().catch(() => '');
    clearTimeout(timer);
    return took;
  };
  const cursors = new Map<number, number>();
  const wait = async (caller: number) => {
    const path = `/events?cursor=${cursors.get(caller) ?? 0}&limit=500&wait=10`;
    const { nextCursor } = await ask({ url }, pickKey(caller), path);
    cursors.set(caller, nextCursor);
    // How long it waits depends on the others.
    return null;
  };
  const exportRoom = async () =>
    void (await (await request(archive.key, `/rooms/${archive.id}/export`)).text());
  const hint = async (caller: number) =>
    void (await post(pickKey(caller), hookedThreadId, { body: 'News.', follow: false }));
  return [
    { name: 'claim', callers: 2, everyMs: 500, call: claim },
    { name: 'upload', callers: 2, everyMs: 1_000, call: upload },
    { name: 'export', callers: 1, everyMs: 10_000, call: exportRoom },
    { name: 'stream', callers: 10, everyMs: 1_000, call: stream },
    { name: 'wait', callers: 20, everyMs: 100, call: wait },
    { name: 'hinted post', callers: 1, everyMs: 500, call: hint },
  ];
}
