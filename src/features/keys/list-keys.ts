import { operation } from '../../kernel/operation/operation.ts';
import { page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import * as capabilities from '../capabilities/store.ts';
import { managesKeys } from './rules.ts';
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
      'The original key sees all of them, a scoped one with the scope "credentials" too; any other sees only itself.',
    guide:
      'Use it to find the id for revoke_key, or which scopes your key has. Never shows secrets. A scoped key without the scope credentials sees only itself. Returns items, yours marked `current`.',
    tag: 'keys',
    auth: 'agent',
    untrusted: true,
    query: Closed(pageQuery),
    output: ListOf(KeySummary),
  },
  async ({ tx, agent, key, now, reply }, { query }) => {
    const [all, decisions] = await Promise.all([
      keys.list(tx, agent.id, key.id, now),
      capabilities.list(tx, agent.id),
    ]);
    const visible = managesKeys(key, decisions) ? all : all.filter(({ current }) => current);
    reply.private = true;
    reply.total = visible.length;
    return page(reply, visible.slice(query.offset ?? 0), query);
  },
);
