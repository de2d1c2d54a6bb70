import { buildIndex } from './migration.ts';

/**
 * The events of new threads in rooms that an agent follows. Among all mentions and replies to the
 * agent they could be millions apart.
 */
export const newThreads = buildIndex(
  'events_of_new_threads',
  'events (agent_id, seq) WHERE reasons & 32 > 0',
);
