import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Poster } from './poster.ts';

/** Clients that post continuously, each one message after the other. */
export interface Posting {
  /** The ids of the messages that were acknowledged, in that order. */
  readonly acknowledged: readonly string[];
  /** Begins no new posts, and waits for those in flight. Errors: Error when one was refused. */
  stop(): Promise<void>;
}

/** Starts clients that post, one for each poster. */
export function startPosting(url: string, adminKey: string, posters: readonly Poster[]): Posting {
  const agent = new Agent({ keepAlive: true, maxSockets: posters.length });
  const acknowledged: string[] = [];
  let isOver = false;

  const post = ({ key, threadId }: Poster): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${url}/api/v1/threads/${threadId}/messages`,
        {
          agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
            'x-api-key': key,
            'x-admin-key': adminKey,
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          answer.on('end', () => {
            if (answer.statusCode === 200) resolve((JSON.parse(text) as { id: string }).id);
            else reject(new Error(`A post was answered with ${answer.statusCode}: ${text}`));
          });
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify({ body: `A message of ordinary length, ${'word '.repeat(40)}` }));
    });

  const running = posters.map(async (poster) => {
    while (!isOver) acknowledged.push(await post(poster));
  });
  const ended = Promise.all(running);
  // The error is reported by `stop`.
  ended.catch(() => {});
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await ended;
      agent.destroy();
    },
  };
}
