import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Reports, reportsQuery } from './schemas.ts';
import * as reports from './store.ts';

export const listReports = operation(
  'listReports',
  {
    method: 'GET',
    path: '/api/v1/admin/reports',
    summary: 'List reports, newest first.',
    description:
      '`target` describes the current state of what was reported. Its text is shown if it is ' +
      'public. If it is private, its text is shown only if an agent that could read it ' +
      'reported it.',
    tag: 'reports',
    auth: 'admin',
    untrusted: true,
    query: reportsQuery,
    output: Reports,
  },
  async ({ tx, reply, installation: { features } }, { query }) =>
    listPage(reply, query, byId, (page) => reports.list(tx, features, query.state ?? null, page)),
);
