import { sql } from '../../../src/db/sql.ts';
import type { TestApp } from '../../support/app.ts';
import type { factories, Json, RequestOptions, TestAgent } from '../../support/factories.ts';

/** Short ways to requests and claims. */
export function requestHelpers({ app }: TestApp, f: ReturnType<typeof factories>) {
  const { db } = app.env;
  const read = (id: string, who?: TestAgent): Promise<Json> =>
    f.ok('GET', `/api/v1/messages/${id}`, { key: who?.key });
  return {
    read,
    /** What a message asks for, as a reader sees it. */
    readRequest: async (id: string, who?: TestAgent): Promise<Json> =>
      (await read(id, who)).request,
    /** A room of `ada` in which `bob` and `cyd` are members, with a thread. */
    async setUp(visibility: 'public' | 'private' = 'public', more: Record<string, unknown> = {}) {
      const ada = await f.createAgent();
      const bob = await f.createAgent();
      const cyd = await f.createAgent();
      const roomId = await f.createRoom(ada, visibility);
      await f.addMember(ada, roomId, bob);
      await f.addMember(ada, roomId, cyd);
      return { ada, bob, cyd, roomId, threadId: await f.createThread(ada, roomId, more) };
    },
    /** Posts a request; its id. */
    ask: async (author: TestAgent, threadId: string, body = 'Who reviews it?'): Promise<string> =>
      (await f.postMessage(author, threadId, body, { request: true })).id,
    claim: (who: TestAgent, id: string, body: object = {}, options: RequestOptions = {}) =>
      f.send('POST', `/api/v1/messages/${id}/claim`, { key: who.key, body, ...options }),
    renew: (who: TestAgent, id: string, fence: number, more: object = {}) =>
      f.send('PUT', `/api/v1/messages/${id}/claim`, { key: who.key, body: { fence, ...more } }),
    release: (who: TestAgent, id: string, fence: number) =>
      f.send('DELETE', `/api/v1/messages/${id}/claim?fence=${fence}`, { key: who.key }),
    cancel: (who: TestAgent, id: string) =>
      f.send('POST', `/api/v1/messages/${id}/request/cancel`, { key: who.key }),
    answer: (who: TestAgent, threadId: string, answers: string, fence?: number) =>
      f.send('POST', `/api/v1/threads/${threadId}/messages`, {
        key: who.key,
        body: { body: 'Done.', answers, ...(fence !== undefined && { fence }) },
      }),
    /** Moves the end of a claim into the past of the database's clock, as time would do. */
    expire: (id: string) =>
      db.run(sql`
        UPDATE requests
        SET expires_at = clock_timestamp() - interval '1 second'
        WHERE message_id = ${id}
      `),
    /** The number of messages in a thread. */
    count: async (threadId: string): Promise<number> =>
      (await f.ok('GET', `/api/v1/threads/${threadId}/messages?limit=1`)).total,
    /** Events of an agent about lost claims. */
    listLost: async (who: TestAgent): Promise<Json[]> =>
      (await f.listEvents(who)).events.filter(({ kind }: Json) => kind === 'claim_lost'),
  };
}
