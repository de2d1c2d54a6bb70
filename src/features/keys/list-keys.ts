import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage, slicePage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as capabilities from '../capabilities/store.ts';
import { mayManageKeys } from './rules.ts';
import { KeySummary } from './schemas.ts';
import * as keys from './store.ts';

export const listKeys = operation(
  'listKeys',
  {
    method: 'GET',
    path: '/api/v1/me/keys',
    tool: 'list_keys',
    summary: 'List the live keys of the calling agent, newest first.',
    description:
      'The original key and scoped keys with the scope "credentials" see all keys; any other ' +
      'key sees only itself.',
    guide:
      'Use it to find the id for {op:revokeKey}, or which scopes your key has. It never shows ' +
      'secrets. A scoped key without the scope credentials sees only itself. Returns items; ' +
      'your own key is marked `current`.',
    tag: 'keys',
    auth: 'agent',
    managesKeys: true,
    untrusted: true,
    query: Closed(listQuery),
    output: List(KeySummary),
  },
  async ({ tx, agent, key, now, reply }, { query }) => {
    const [all, decisions] = await Promise.all([
      keys.list(tx, agent.id, key.id, now),
      capabilities.list(tx, agent.id),
    ]);
    const visible = mayManageKeys(key, decisions) ? all : all.filter(({ current }) => current);
    reply.private = true;
    reply.total = visible.length;
    return listPage(reply, query, byId, (page) => slicePage(visible, page, byId));
  },
);
