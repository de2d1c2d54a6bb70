import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { toTopic } from '../../../src/kernel/hub.ts';
import { startApp } from '../../support/app.ts';
import { factories, waitUntil } from '../../support/factories.ts';
import { requestHelpers } from './setup.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);
const { hub, wokenMutations } = app.app.env;

it('[attack.3-3] callers that wait for requests take their turns, and posts do not', async () => {
  const { ada, bob, cyd, threadId } = await r.setUp('public', { tags: ['crowded'] });
  const waits = [bob, cyd, bob, cyd, bob].map(({ key }) =>
    f.send('POST', '/api/v1/claims/next', {
      key,
      body: { tag: 'crowded', wait: 60 },
      idem: randomUUID(),
    }),
  );
  let end = () => {};
  const turn = wokenMutations.run(() => new Promise<void>((resolve) => (end = resolve)));
  await waitUntil('all of them are woken', async () => {
    hub.publish([toTopic('crowded')]);
    return wokenMutations.waiting === waits.length;
  });
  // Nobody who posts stands behind them.
  const ids: string[] = [];
  for (let nr = 0; nr < waits.length; nr++) ids.push(await r.ask(ada, threadId));
  end();
  await turn;
  const taken = (await Promise.all(waits)).map(({ body }) => body[0].messageId);
  expect(taken.sort()).toEqual(ids.sort());
});
