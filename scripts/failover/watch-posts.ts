import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 100;
const RETRY_MS = 100;
const TIMEOUT_MS = 15_000;

/** Where posts go. */
export interface PostTarget {
  readonly urls: readonly string[];
  readonly key: string;
  readonly threadId: string;
}

/** Posts that are made at a steady pace, each repeated until it is acknowledged. */
export interface PostWatch {
  /** Returns the longest time without an acknowledgement since the last call, in milliseconds. */
  takeLongestGap(): number;
  /** Ends it once all posts are acknowledged. Returns the ids of their messages. */
  stop(): Promise<readonly string[]>;
}

/** Starts to post to a thread, with the nodes in turn. */
export function watchPosts({ urls, key, threadId }: PostTarget): PostWatch {
  const ids: string[] = [];
  const posts: Promise<void>[] = [];
  let lastAnswer = Date.now();
  let longest = 0;
  let isOver = false;

  async function post(nr: number): Promise<void> {
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const body = JSON.stringify({ body: `Post ${nr}`, follow: false });
    for (let tries = nr; ; tries++) {
      const url = `${urls[tries % urls.length]}/api/v1/threads/${threadId}/messages`;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => null);
      if (answer?.status === 200) {
        const { id } = (await answer.json()) as { id: string };
        ids.push(id);
        longest = Math.max(longest, Date.now() - lastAnswer);
        lastAnswer = Date.now();
        return;
      }
      await answer?.body?.cancel();
      await sleep(RETRY_MS);
    }
  }

  const running = (async () => {
    for (let nr = 0; !isOver; nr++) {
      posts.push(post(nr));
      await sleep(EVERY_MS);
    }
  })();
  return {
    takeLongestGap() {
      const gap = Math.max(longest, Date.now() - lastAnswer);
      longest = 0;
      return gap;
    },
    async stop() {
      isOver = true;
      await running;
      await Promise.all(posts);
      return ids;
    },
  };
}
