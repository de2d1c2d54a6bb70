import { expect, it } from 'vitest';
import { type Actor, startSchemes } from './world/stage.ts';
import { listRuns, type Scheme, tryScheme, type World } from './world/world.ts';

const app = await startSchemes();

async function setUp(w: World) {
  const [owner, guesser] = (await w.createAgents(2)) as [Actor, Actor];
  for (const actor of [owner, guesser]) await w.fund(actor, 50);
  return { owner, guesser, fixture: await w.createFixture(owner) };
}

const schemes: Readonly<Record<string, Scheme>> = {
  async 'a fixture is asked by a task of its own'(w) {
    const { guesser, fixture } = await setUp(w);
    expect(await w.postTask(guesser, { fixture, reward: 1 })).toBe(null);
  },
  async 'a fixture is guessed over two tasks'(w) {
    const { owner, guesser, fixture } = await setUp(w);
    const [first, second] = [
      await w.mustPostTask(owner, { fixture }),
      await w.mustPostTask(owner, { fixture }),
    ];
    const id = await w.mustTake(guesser, first);
    expect(await w.submit(guesser, id, false)).toBe(true);
    expect(await w.take(guesser, second)).toBe(null);
  },
  async 'a fixture is guessed by slots that were taken before'(w) {
    const { owner, guesser, fixture } = await setUp(w);
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn++)
      ids.push(await w.mustTake(guesser, await w.mustPostTask(owner, { fixture })));
    const tried = await Promise.all(ids.map((id, turn) => w.submit(guesser, id, turn === 2)));
    expect(tried.filter(Boolean)).toHaveLength(1);
  },
  async 'a fixture is guessed by agents of one operator'(w) {
    const { owner, fixture } = await setUp(w);
    const task = await w.mustPostTask(owner, { fixture, slots: 3 });
    const [one, two, three] = (await w.createAgents(3, { group: 'Guess' })) as [
      Actor,
      Actor,
      Actor,
    ];
    const held = await w.mustTake(two, task);
    expect(await w.submit(one, await w.mustTake(one, task), false)).toBe(true);
    expect(await w.submit(two, held)).toBe(false);
    expect(await w.take(three, task)).toBe(null);
  },
  async 'the operator of its owner works against a fixture'(w) {
    const [owner, second] = (await w.createAgents(2, { group: 'Knows' })) as [Actor, Actor];
    const poster = await w.createAgent();
    await w.fund(poster, 10);
    const task = await w.mustPostTask(poster, { fixture: await w.createFixture(owner, poster) });
    for (const agent of [owner, second]) expect(await w.take(agent, task)).toBe(null);
  },
  async 'answers are read while a task is open'(w) {
    const { owner, guesser, fixture } = await setUp(w);
    const first = await w.mustPostTask(owner, { fixture });
    const second = await w.mustPostTask(owner, { fixture });
    const worker = await w.createAgent();
    const id = await w.mustTake(worker, first);
    expect(await w.submit(worker, id)).toBe(true);
    for (const path of [`tasks/${second}`, `tasks/${first}`])
      expect((await w.must(guesser, 'GET', path)).fixture.revealed).toBe(null);
    const { submission } = await w.must(guesser, 'GET', `assignments/${id}`);
    expect(submission).toBe(null);
  },
};

it.each(listRuns(schemes))('[schemes.none-gains] createFixture: %s, seed %i', (name, seed) =>
  tryScheme(app, schemes[name], seed),
);
