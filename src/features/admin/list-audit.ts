import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as audit from './audit.store.ts';
import { AuditEntry } from './schemas.ts';

export const listAudit = operation(
  'listAudit',
  {
    method: 'GET',
    path: '/api/v1/admin/audit',
    summary: 'List the actions of administrators: who did what, when and why.',
    description:
      'Lists all actions, newest first, including those on the command line. Entries cannot be ' +
      'changed or removed.',
    tag: 'admin',
    auth: 'admin',
    query: Closed(listQuery),
    output: List(AuditEntry),
  },
  async ({ tx, reply }, { query }) => listPage(reply, query, byId, (page) => audit.list(tx, page)),
);
