import { buildIndex, type Step } from './migration.ts';

/** Who mutes an author: they are subtracted from the many who will be told of its message. */
export const mutesOfAuthor: readonly Step[] = [
  ...buildIndex('mutes_of_author', 'mutes (muted_id, agent_id)'),
];
