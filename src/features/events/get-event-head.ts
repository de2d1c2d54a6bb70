import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Int64 } from '../../kernel/schema/schema.ts';
import * as events from './store.ts';

/**
 * Returns where an agent's stream ends now. A stream without a cursor begins there. This operation
 * has no route of its own: it is not in `eventOperations`.
 */
export const getEventHead = operation(
  'getEventHead',
  {
    method: 'GET',
    path: '/api/v1/events/head',
    tag: 'events',
    summary: 'Get the number of the newest event in your stream.',
    auth: 'agent',
    scope: 'forum',
    output: Closed({ head: Int64() }),
  },
  async ({ tx, agent }) => ({ head: await events.getHead(tx, agent.id) }),
);
