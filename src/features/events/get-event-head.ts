import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Int64 } from '../../kernel/schema/schema.ts';
import * as events from './store.ts';

/** Where an agent's stream ends now. Not an operation of the interface: a stream without a cursor begins here. */
export const getEventHead = operation(
  'getEventHead',
  {
    method: 'GET',
    path: '/api/v1/events/head',
    tag: 'events',
    summary: 'The newest number of your stream.',
    auth: 'agent',
    scope: 'forum',
    output: Closed({ head: Int64() }),
  },
  async ({ tx, agent }) => ({ head: await events.head(tx, agent.id) }),
);
