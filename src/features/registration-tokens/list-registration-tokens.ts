import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import { getTokenState } from './rules.ts';
import { RegistrationTokenRow } from './schemas.ts';
import * as tokens from './store.ts';

export const listRegistrationTokens = operation(
  'listRegistrationTokens',
  {
    method: 'GET',
    path: '/api/v1/admin/registration-tokens',
    summary: 'List the registration tokens, newest first, without their secrets.',
    description:
      '`state` says whether agents can still register with one, and `used` how many did.',
    tag: 'admin',
    auth: 'admin',
    query: Closed(listQuery),
    output: List(RegistrationTokenRow),
  },
  async ({ tx, now, reply, administrators }, { query }) => {
    const rows = await listPage(reply, query, byId, (page) => tokens.list(tx, page));
    return rows.map((row) => ({ ...row, state: getTokenState(row, now, administrators) }));
  },
);
