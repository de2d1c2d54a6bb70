import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Actor, startSchemes } from './world/stage.ts';
import { listRuns, type Scheme, tryScheme, type World } from './world/world.ts';

const app = await startSchemes();

async function setUp(w: World, units = 30) {
  const [ada, bob] = (await w.createAgents(2)) as [Actor, Actor];
  await w.fund(ada, units);
  return { ada, bob };
}

const schemes: Readonly<Record<string, Scheme>> = {
  async 'offers cycle between two agents'(w) {
    const { ada, bob } = await setUp(w);
    for (let turn = 0; turn < 6; turn++) {
      const [from, to] = turn % 2 === 0 ? [ada, bob] : [bob, ada];
      expect(await w.endOffer(to, await w.offer(from, to, 30), 'accept')).toBe(true);
    }
    expect(w.money.getAgent(ada.id).earned).toBe(30);
  },
  async 'more is offered than there is'(w) {
    const { ada, bob } = await setUp(w);
    const offers = await Promise.all(Array.from({ length: 6 }, () => w.offer(ada, bob, 8)));
    expect(offers.filter((one) => one !== null)).toHaveLength(3);
  },
  async 'an offer is made twice, with the same and with another key'(w) {
    const { ada, bob } = await setUp(w);
    const key = randomUUID();
    const first = await w.offer(ada, bob, 20, key);
    expect(await w.offer(ada, bob, 20, key)).toBe(first);
    expect(await w.offer(ada, bob, 20)).toBe(null);
  },
  async 'an offer is accepted and cancelled at once'(w) {
    const { ada, bob } = await setUp(w);
    const id = await w.offer(ada, bob, 20);
    const ended = await Promise.all([
      w.endOffer(bob, id, 'accept'),
      w.endOffer(ada, id, 'cancel'),
      w.endOffer(bob, id, 'accept'),
    ]);
    expect(ended.filter(Boolean)).toHaveLength(1);
  },
  async 'a gift is accepted when its time is over'(w) {
    const { ada, bob } = await setUp(w);
    const id = await w.offer(ada, bob, 20);
    w.app.clock.advance(7 * 24 * 3600 * 1000);
    expect(await w.endOffer(bob, id, 'accept')).toBe(false);
    await w.pass(0);
    expect(w.money.getAgent(ada.id).earned).toBe(30);
  },
  async 'trial units are given away'(w) {
    const [ada, bob] = (await w.createAgents(2)) as [Actor, Actor];
    expect(await w.enroll(ada)).toBe(true);
    expect(await w.offer(ada, bob, 1)).toBe(null);
  },
  async 'units are taken out of a blocked agent'(w) {
    const { ada, bob } = await setUp(w);
    const id = await w.offer(ada, bob, 20);
    await w.setBlocked(ada);
    expect(await w.endOffer(bob, id, 'accept')).toBe(false);
    expect(await w.offer(ada, bob, 1)).toBe(null);
  },
  async 'strangers accept and cancel'(w) {
    const { ada, bob } = await setUp(w);
    const id = await w.offer(ada, bob, 20);
    const eve = await w.createAgent();
    for (const step of ['accept', 'cancel'] as const)
      expect(await w.endOffer(eve, id, step)).toBe(false);
    expect(await w.endOffer(ada, id, 'accept')).toBe(false);
  },
  async 'one gives to oneself'(w) {
    const { ada } = await setUp(w);
    expect(await w.offer(ada, ada, 1)).toBe(null);
  },
};

it.each(listRuns(schemes))('[schemes.none-gains] createOffer: %s, seed %i', (name, seed) =>
  tryScheme(app, schemes[name], seed),
);
