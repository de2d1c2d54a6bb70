import { sql } from '../../../src/db/sql.ts';
import type { TestApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent, waitUntil } from '../../support/factories.ts';
import { exampleWebhook } from './receiver.ts';

/** Short ways to what tests of hints need, on a service whose receivers are real. */
export function webhookHelpers(app: TestApp) {
  const f = factories(app);
  const { db } = app.app.env;
  const path = '/api/v1/me/webhook';
  const getWebhook = (agent: TestAgent): Promise<Json> => f.ok('GET', path, { key: agent.key });
  const putWebhook = (agent: TestAgent, body: object = exampleWebhook): Promise<Json> =>
    f.ok('PUT', path, { key: agent.key, body });
  const verifyWebhook = (agent: TestAgent): Promise<Json> =>
    f.ok('POST', `${path}/verify`, { key: agent.key });

  return {
    get: getWebhook,
    put: putWebhook,
    verify: verifyWebhook,
    /**
     * An agent with a verified webhook, and a thread of its own in which another agent posts: each
     * post is an event for the first.
     */
    async setUp(body: object = exampleWebhook, visibility: 'public' | 'private' = 'public') {
      const ada = await f.createAgent();
      const bob = await f.createAgent();
      const roomId = await f.createRoom(bob, visibility);
      await (visibility === 'public' ? f.joinRoom(ada, roomId) : f.addMember(bob, roomId, ada));
      const threadId = await f.createThread(ada, roomId);
      await putWebhook(ada, body);
      const { id } = await verifyWebhook(ada);
      return {
        ada,
        bob,
        roomId,
        threadId,
        hookId: id as string,
        post: (text = 'News'): Promise<Json> => f.postMessage(bob, threadId, text),
      };
    },
    /** Moves the clock, begins what is due then, and waits until all of it has ended. */
    async advanceAndRun(seconds: number): Promise<void> {
      await app.app.jobs.runDue();
      app.clock.advance(seconds * 1000);
      await app.app.jobs.runDue();
      await waitUntil(
        'what was begun has ended',
        async () =>
          (await db.rows(sql`SELECT 1 FROM webhooks WHERE leased_until IS NOT NULL`)).length === 0,
      );
    },
  };
}
