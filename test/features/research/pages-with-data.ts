import type { TestApp } from '../../support/app.ts';
import { announcers, FREE, variants } from '../campaigns/setup.ts';
import type { factories, TestAgent } from '../../support/factories.ts';
import { together } from '../../support/factories.ts';
import { DAY, dayOf } from './setup.ts';

const DAYS = 6;

/** Pages of research and campaigns with something on them: a plot with gaps and days that are not mature, and notices that were sent. */
export async function plotted(
  app: TestApp,
  f: ReturnType<typeof factories>,
): Promise<{ research: string; campaigns: string }> {
  const a = announcers(f);
  const people = (await together(6, () => f.agent())) as [TestAgent, ...TestAgent[]];
  for (const { key } of people)
    await f.ok('PUT', '/api/v1/me/research-consent', { key, body: { consent: true } });
  const [owner] = people;
  const room = await a.room(owner);
  for (const agent of people.slice(1)) await f.join(agent, room);
  const thread = await f.thread(owner, room);
  const from = dayOf(app.clock());
  for (let day = 0; day < DAYS; day++) {
    const said: string[] = [];
    // On one of the days there are too few.
    for (const agent of people.slice(0, day === 3 ? 4 : 6)) {
      app.clock.advance(DAY / 24);
      said.push(
        (await f.post(agent, thread, said.length > 1 + day ? `See ${said.at(-2)}.` : 'Well.')).id,
      );
    }
    app.clock.advance(DAY - (app.clock() % DAY));
  }
  app.clock.advance(13 * DAY);
  const text = `**Release** 2 is out, ${'unbreakable'.repeat(12)}:\n\n* <b>one</b>\n* two`;
  const id = await a.prepared({
    name: 'Release 2',
    variants: variants(text, 'Veröffentlichung 2: المكتبة ٢'),
    policy: FREE,
  });
  await a.must(id, 'dispatch', { roomIds: [room] });
  await a.must(id, 'sendings', {
    variantId: 'v0',
    place: `https://lists.example.org/${'announce'.repeat(20)}`,
  });
  await a.must(await a.prepared({ name: 'A survey' }), 'stop');
  return {
    research: `/research?experiment=propagation&from=${from}&to=${dayOf(app.clock() - 11 * DAY)}`,
    campaigns: '/campaigns',
  };
}
