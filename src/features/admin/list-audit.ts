import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import * as audit from './audit.store.ts';
import { AuditEntry } from './schemas.ts';

export const listAudit = operation(
  'listAudit',
  {
    method: 'GET',
    path: '/api/v1/admin/audit',
    summary: 'Read what administrators did: who, what, when and why.',
    description:
      'Every act, those of the command line among them, newest first. Nothing can change or remove an entry.',
    tag: 'admin',
    auth: 'admin',
    query: Closed(pageQuery),
    output: ListOf(AuditEntry),
  },
  async ({ tx, reply }, { query }) =>
    page(reply, await audit.list(tx, query.offset ?? 0, oneMore(query)), query),
);
