import type { TestApp } from '../../support/app.ts';
import type { factories, TestAgent } from '../../support/factories.ts';
import { runConcurrently } from '../../support/factories.ts';
import { buildVariants, campaignHelpers, noLimits } from '../campaigns/setup.ts';
import { DAY, toDay } from './setup.ts';

const DAYS = 6;

/**
 * Creates pages of research and campaigns with data: a plot with gaps and immature days, and
 * notices that were sent.
 */
export async function createPagesWithData(
  app: TestApp,
  f: ReturnType<typeof factories>,
): Promise<{ research: string; campaigns: string }> {
  const a = campaignHelpers(f);
  const people = (await runConcurrently(6, () => f.createAgent())) as [TestAgent, ...TestAgent[]];
  for (const { key } of people)
    await f.ok('PUT', '/api/v1/me/research-consent', { key, body: { consent: true } });
  const [owner] = people;
  const room = await a.createRoom(owner);
  for (const agent of people.slice(1)) await f.joinRoom(agent, room);
  const thread = await f.createThread(owner, room);
  const from = toDay(app.clock());
  for (let day = 0; day < DAYS; day++) {
    const said: string[] = [];
    // One of the days has too few authors.
    for (const agent of people.slice(0, day === 3 ? 4 : 6)) {
      app.clock.advance(DAY / 24);
      said.push(
        (
          await f.postMessage(
            agent,
            thread,
            said.length > 1 + day ? `See ${said.at(-2)}.` : 'Well.',
          )
        ).id,
      );
    }
    app.clock.advance(DAY - (app.clock() % DAY));
  }
  app.clock.advance(13 * DAY);
  const text = `**Release** 2 is out, ${'unbreakable'.repeat(12)}:\n\n* <b>one</b>\n* two`;
  const id = await a.createPrepared({
    name: 'Release 2',
    variants: buildVariants(text, 'Veröffentlichung 2: المكتبة ٢'),
    policy: noLimits,
  });
  await a.expectStep(id, 'dispatch', { roomIds: [room] });
  await a.expectStep(id, 'sendings', {
    variantId: 'v0',
    place: `https://lists.example.org/${'announce'.repeat(20)}`,
  });
  await a.expectStep(await a.createPrepared({ name: 'A survey' }), 'stop');
  return {
    research: `/research?experiment=propagation&from=${from}&to=${toDay(app.clock() - 11 * DAY)}`,
    campaigns: '/campaigns',
  };
}
