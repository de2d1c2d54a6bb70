import { expect, it } from 'vitest';
import type { Database, Transaction } from '../../../db/database.ts';
import type { CommitEffects } from './commit-effects.store.ts';
import { createGroupCommit } from './group-commit.ts';

const effects: CommitEffects = {
  now: '',
  writes: [],
  receipts: [],
  issuer: { baseUrl: '', realm: '' },
  record: null,
  notices: [],
};
const SMALL = 800;
const LARGE = 64 * 1024;

/**
 * Runs calls in transactions that last so many milliseconds, and notes which of them shared one.
 */
function prepare(lasts = 5) {
  let at = 0;
  const commits: string[][] = [];
  let running = 0;
  let most = 0;
  const db = {
    async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
      most = Math.max(most, ++running);
      const commit: string[] = [];
      commits.push(commit);
      const result = await work({ send() {}, commit } as unknown as Transaction);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      at += lasts;
      return result;
    },
  } as unknown as Database;
  const groupCommit = createGroupCommit(db, () => at);
  const post = (caller: string, key: string | null, bytes: number, told = 0) =>
    groupCommit.run(caller, { key, isShared: true, bytes }, async (tx) => {
      (tx as unknown as { commit: string[] }).commit.push(`${caller} ${bytes}`);
      const addressees = Array.from({ length: told }, () => ({ agentId: '', reasons: 1 }));
      const event = { roomId: null, messageId: null, actorId: null, createdAt: '' };
      const notices = [{ addressees, event }];
      return { value: null, effects: { ...effects, notices }, holdsLater: false };
    });
  return { commits, post, getMost: () => most };
}

it('[attack.15-2] (API4) large calls commit apart from small ones, one of a caller', async () => {
  const { commits, post, getMost } = prepare();
  await Promise.all([
    ...[1, 2, 3, 4, 5].map((nr) => post('greedy', `thread ${nr}`, LARGE)),
    post('greedy', null, LARGE),
    ...['a', 'b', 'c'].map((caller) => post(caller, `of ${caller}`, SMALL)),
  ]);
  expect(commits.filter((commit) => commit.length === 1)).toHaveLength(6);
  expect(commits.find((commit) => commit.length > 1)?.sort()).toEqual(['a 800', 'b 800', 'c 800']);
  // One large call and the batch.
  expect(getMost()).toBe(2);
});

it('[attack.15-2] (API4) large calls of many run two at once', async () => {
  const { post, getMost } = prepare();
  await Promise.all(['a', 'b', 'c', 'd'].map((caller) => post(caller, caller, LARGE)));
  expect(getMost()).toBe(2);
});

it('[attack.16-2] (API4) a long text does not wait for those who took long lately', async () => {
  const { commits, post } = prepare(1_100);
  const greedy = ['a', 'b'];
  await Promise.all(greedy.map((caller) => post(caller, caller, LARGE)));
  const again = greedy.flatMap((caller) => [1, 2].map((nr) => post(caller, `${nr}`, LARGE)));
  await post('c', 'c', LARGE);
  expect(commits.slice(0, 4).flat()).toEqual(['a 65536', 'b 65536', 'a 65536', 'c 65536']);
  await Promise.all(again);
});

it('[attack.15-2] (API4) a caller has few bytes in a batch with others', async () => {
  const { commits, post } = prepare();
  await Promise.all([
    ...[1, 2, 3, 4].map((nr) => post('greedy', `thread ${nr}`, 5_000)),
    post('other', 'thread', SMALL),
  ]);
  for (const commit of commits)
    expect(commit.filter((one) => one.startsWith('greedy'))).toHaveLength(1);
  expect(commits[0]).toHaveLength(2);
});

it('[attack.15-2] (API4) large calls of a thread leave turns to its small ones', async () => {
  const { commits, post } = prepare();
  const large = [1, 2, 3].map((nr) => post(`writer ${nr}`, 'thread', LARGE));
  // The first large one runs when the small one arrives.
  await new Promise((resolve) => setTimeout(resolve, 1));
  await Promise.all([...large, post('reader', 'thread', SMALL)]);
  expect(commits.flat().indexOf('reader 800')).toBe(1);
});

it('[attack.15-2] small calls of a thread wait for its large one, others do not', async () => {
  const { commits, post } = prepare();
  const large = post('writer', 'thread', LARGE);
  await Promise.all([large, post('reader', 'thread', SMALL), post('other', 'another', SMALL)]);
  expect(commits).toEqual([[`writer ${LARGE}`], ['other 800'], ['reader 800']]);
});

it('[load.overload] many that wait share large batches, and a few small ones', async () => {
  const { commits, post } = prepare();
  const postAll = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, nr) => post(`agent ${nr}`, `thread ${nr}`, 100)));
  await postAll(100);
  await postAll(20);
  expect(commits.map(({ length }) => length)).toEqual([50, 25, 16, 9, 16, 4]);
});

it('[attack.48-3] (API4) posts in threads with many followers share small batches', async () => {
  const { commits, post } = prepare();
  const postAll = (told: number) =>
    Promise.all(Array.from({ length: 60 }, (_, nr) => post(`${nr}`, `thread ${nr}`, 48, told)));
  await postAll(200);
  const before = commits.length;
  await Promise.all([postAll(200), post('other', 'calm', 48)]);
  // Each weighs 2,048 bytes, so that sixteen of them have 3,200 events.
  for (const commit of commits.slice(before)) expect(commit.length).toBeLessThanOrEqual(16);
  await postAll(0);
  const last = commits.length;
  await postAll(0);
  expect(commits[last]).toHaveLength(30);
});
