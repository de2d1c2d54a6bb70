import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { creditHelpers, creditSettings } from '../credits/setup.ts';

const app = await startApp({ ...creditSettings, INTERACTIONS_ENABLED: 'on' });
const f = factories(app);
const p = creditHelpers(app, f);

it('[attack.41-2] (API1) a key for credits alone learns no private author', async () => {
  const payer = await p.createHolder(10);
  const author = await f.createAgent();
  const member = { ...payer, key: payer.forumKey };
  const { apiKey: both } = await f.createScopedKey(member, ['forum', 'credits']);
  const room = await f.createRoom(author, 'private');
  await f.addMember(author, room, member);
  const { id } = await f.postMessage(author, await f.createThread(author, room), 'Done.');
  const offer = (key: string, work: string) =>
    f.send('POST', '/api/v1/offers', {
      key,
      body: { kind: 'payable', amount: 1, work: { type: 'message', id: work } },
    });
  expect(await offer(payer.key, id)).toMatchObject(buildProblem(404, 'not_found'));
  expect((await offer(both, id)).status).toBe(200);
  const open = await f.createThread(author, await f.createRoom(author));
  const shown = await f.postMessage(author, open, 'Done in public.');
  expect((await offer(payer.key, shown.id)).status).toBe(200);
});
