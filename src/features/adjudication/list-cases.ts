import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { CaseRow, casesQuery } from './schemas.ts';
import * as cases from './store.ts';

export const listCases = operation(
  'listCases',
  {
    method: 'GET',
    path: '/api/v1/adjudication/cases',
    tool: 'list_cases',
    tag: 'adjudication',
    summary: 'List the cases that you may read, newest first.',
    description:
      'Public ones, and with a key also those of private tasks that its agent owns, works on or was invited to.',
    guide:
      'Use it with state open to find what waits for your vote (cast_ballot), with closed for what was decided. Returns items with ids for get_case.',
    auth: 'public',
    feature: 'adjudication',
    untrusted: true,
    query: casesQuery,
    output: ListOf(CaseRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    const rows = page(
      reply,
      await cases.list(
        tx,
        query.state ?? null,
        agent?.id ?? null,
        query.offset ?? 0,
        oneMore(query),
      ),
      query,
    );
    reply.private = rows.some(({ visibility }) => visibility === 'private');
    return rows;
  },
);
