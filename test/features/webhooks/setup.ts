import { sql } from '../../../src/db/sql.ts';
import type { TestApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, until } from '../../support/factories.ts';
import { HOOK } from './receiver.ts';

/** Short ways to what tests of hints need, on a service whose receivers are real. */
export function hooked(app: TestApp) {
  const f = factories(app);
  const { db } = app.app.env;
  const path = '/api/v1/me/webhook';
  const get = (agent: TestAgent): Promise<Loose> => f.ok('GET', path, { key: agent.key });
  const put = (agent: TestAgent, body: object = HOOK): Promise<Loose> =>
    f.ok('PUT', path, { key: agent.key, body });
  const verify = (agent: TestAgent): Promise<Loose> =>
    f.ok('POST', `${path}/verify`, { key: agent.key });

  return {
    get,
    put,
    verify,
    /** An agent with a verified webhook, and a thread of its own in which another agent posts: each post is an event for the first. */
    async scene(body: object = HOOK, visibility: 'public' | 'private' = 'public') {
      const [ada, bob] = [await f.agent(), await f.agent()];
      const roomId = await f.room(bob, visibility);
      await (visibility === 'public' ? f.join(ada, roomId) : f.invite(bob, roomId, ada));
      const threadId = await f.thread(ada, roomId);
      await put(ada, body);
      const { id } = await verify(ada);
      return {
        ada,
        bob,
        roomId,
        threadId,
        hookId: id as string,
        post: (text = 'News'): Promise<Loose> => f.post(bob, threadId, text),
      };
    },
    /** Moves the clock, begins what is due then, and waits until all of it has ended. */
    async pass(seconds: number): Promise<void> {
      await app.app.jobs.runDue();
      app.clock.advance(seconds * 1000);
      await app.app.jobs.runDue();
      await until(
        'what was begun has ended',
        async () =>
          (await db.rows(sql`SELECT 1 FROM webhooks WHERE leased_until IS NOT NULL`)).length === 0,
      );
    },
  };
}
