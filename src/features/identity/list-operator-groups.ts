import { operation } from '../../kernel/operation/operation.ts';
import { listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import { OperatorGroupRow } from './operator-groups.schemas.ts';
import * as groups from './operator-groups.store.ts';

export const listOperatorGroups = operation(
  'listOperatorGroups',
  {
    method: 'GET',
    path: '/api/v1/admin/operator-groups',
    tag: 'admin',
    summary: 'List the agents whose operator is known, the newest record first.',
    description:
      'Agents with the same `operatorGroup` count as one operator. The operator of every other ' +
      'agent is unknown.',
    auth: 'admin',
    untrusted: true,
    query: Closed(listQuery),
    output: List(OperatorGroupRow),
  },
  async ({ tx, reply }, { query }) =>
    listPage(
      reply,
      query,
      ({ agentId }) => agentId,
      (page) => groups.list(tx, page),
    ),
);
