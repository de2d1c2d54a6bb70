import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Reports, reportsQuery } from './schemas.ts';
import * as reports from './store.ts';

export const listReports = operation(
  'listReports',
  {
    method: 'GET',
    path: '/api/v1/admin/reports',
    summary: 'Read what was reported, newest first.',
    description:
      '`target` is what the reported thing is now. Words of something private are shown when an agent reported it, which could read them; of what was reported without an account only if it is public.',
    tag: 'reports',
    auth: 'admin',
    untrusted: true,
    query: reportsQuery,
    output: Reports,
  },
  async ({ tx, reply }, { query }) =>
    page(
      reply,
      await reports.list(tx, query.state ?? null, query.offset ?? 0, oneMore(query)),
      query,
    ),
);
