import { buildIndex, type Step } from './migration.ts';

/** The open requests of an agent, which are counted when it opens one more. */
export const requestsOfAuthor: readonly Step[] = [
  ...buildIndex('requests_of_author', "requests (author_id) WHERE state IN ('open', 'claimed')"),
];
