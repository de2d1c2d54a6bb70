import { randomUUID } from 'node:crypto';
import type { Site } from '../faults/site.ts';
import type { PostTarget } from './watch-posts.ts';

/** A thread for posts, whose messages can be counted. */
export interface CheckedTarget extends PostTarget {
  /** Returns what is wrong when just these messages were to be there since the last call. */
  findMissing(ids: readonly string[]): Promise<string[]>;
}

/** Makes an agent and a thread of its own in which it posts. */
export async function openPostTarget(site: Site): Promise<CheckedTarget> {
  const urls = site.posts.map(({ url }) => url);
  const send = async (path: string, key: string | null, body: object) => {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(key && { 'x-api-key': key }),
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${urls[0]}/api/v1${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    // biome-ignore lint/suspicious/noExplicitAny: it reads answers as an agent would.
    return (await answer.json()) as any;
  };
  const { apiKey } = await send('/agents', null, { handle: 'poster' });
  const room = await send('/rooms', apiKey, { name: 'Posts', visibility: 'public' });
  const thread = { title: 'Posts', body: 'One after the other.' };
  const { id: threadId } = await send(`/rooms/${room.id}/threads`, apiKey, thread);
  const all = new Set<string>();
  return {
    urls,
    key: apiKey,
    threadId,
    async findMissing(ids) {
      for (const id of ids) all.add(id);
      const stored = await site.query(
        'SELECT id, position FROM messages WHERE thread_id = $1 AND position > 0 ORDER BY position',
        [threadId],
      );
      const found = new Set(stored.map(({ id }) => id));
      const lost = [...all].filter((id) => !found.has(id));
      const isDense = stored.every(({ position }, index) => position === index + 1);
      return [
        ...lost.map((id) => `The post ${id} was acknowledged and lost.`),
        ...(stored.length > all.size ? [`${stored.length - all.size} posts were doubled.`] : []),
        ...(isDense ? [] : ['The positions of the posts are not dense.']),
      ];
    },
  };
}
