import { runParallel } from '../../src/import/keyed-queue.ts';
import { ask } from '../load/poster.ts';
import type { PageRef, Profile } from '../load/profiles.ts';
import type { BenchService } from '../load/service.ts';
import { connectSql } from '../load/sql-limit.ts';
import { findCorpus } from './corpus.ts';
import { buildRealisticQueries } from './queries.ts';
import { fillForSearch } from './search-data.ts';
import { type BenchSetup, createSetup } from './setup.ts';

const AGENTS = 200;

/** The kinds of requests of a mixed load. */
export const mixedKinds = ['post', 'page', 'poll', 'search'] as const;
export type MixedKind = (typeof mixedKinds)[number];

/** Everything that a mixed load is made of. */
export interface MixedLoad {
  readonly setup: BenchSetup;
  /** Keys of agents that are members of the room with all threads. */
  readonly keys: readonly string[];
  readonly profiles: Readonly<Record<MixedKind, Profile>>;
}

/** Registers agents that join a room. Errors: Error when a call is refused. */
export async function registerMembers(
  service: BenchService,
  roomId: string,
  prefix: string,
  count: number,
): Promise<string[]> {
  const keys: string[] = [];
  await runParallel(
    Array.from({ length: count }, (_, index) => index),
    4,
    async (index) => {
      const { apiKey } = await ask(service, null, '/agents', { handle: `${prefix}-${index}` });
      await ask(service, apiKey, `/rooms/${roomId}/join`, {});
      keys.push(apiKey);
    },
  );
  return keys;
}

/** Lists the first page of a hundred threads. */
async function listPages({ stranger, threads }: BenchSetup): Promise<PageRef[]> {
  const own = new Set(threads);
  const rows = await stranger.listThreads({ query: { limit: 100 } });
  return rows.filter(({ id }) => !own.has(id)).map(({ id }) => ({ threadId: id, offset: 0 }));
}

/** Prepares a service for a mixed load, with so many messages to search in. */
export async function prepareMixedLoad(
  service: BenchService,
  messages: number,
): Promise<MixedLoad> {
  const { bodies } = await findCorpus(undefined, service.folder);
  const setup = await createSetup(service, { file: '', name: '', bodies });
  await using sql = await connectSql(service.database.connection, 1);
  await fillForSearch(sql, setup, bodies, messages);
  const keys = await registerMembers(service, setup.roomId, 'poster', AGENTS);
  return {
    setup,
    keys,
    profiles: {
      post: { kind: 'post', threads: setup.threads, keys, bodies },
      page: { kind: 'page', pages: await listPages(setup), key: null },
      poll: { kind: 'poll', keys, cursor: 0 },
      search: { kind: 'search', queries: buildRealisticQueries(bodies, setup, 1_900), key: null },
    },
  };
}

/** In which order callers send the kinds: in twenty there is one search. */
export const mixedOrder: readonly MixedKind[] = [
  ...(['post', 'page', 'poll', 'page', 'post', 'poll', 'page', 'post', 'poll', 'page'] as const),
  ...(['post', 'page', 'poll', 'page', 'search', 'poll', 'page', 'post', 'poll', 'page'] as const),
];
