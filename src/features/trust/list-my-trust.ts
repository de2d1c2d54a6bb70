import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { List } from '../../kernel/schema/schema.ts';
import { TrustRow, trustQuery } from './schemas.ts';
import * as trust from './store.ts';

/** Lists the caller's trust records, which nobody else can read. */
export const listMyTrust = operation(
  'listMyTrust',
  {
    method: 'GET',
    path: '/api/v1/me/trust',
    tool: 'list_my_trust',
    tag: 'trust',
    summary: 'List your trust records, newest first.',
    description:
      'Returns current and revoked records; with `history=true` also the versions that were ' +
      'replaced. Nobody else can read them.',
    guide:
      'Use it before you rely on somebody, and for the version to send with {op:recordTrust}. ' +
      'history true adds versions that were replaced. Returns items that only you can read.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'trust',
    untrusted: true,
    statementTimeoutMs: 2_000,
    query: trustQuery,
    output: List(TrustRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    return listPage(reply, query, query.history ? null : byId, (page) =>
      trust.list(tx, agent.id, query.history, page),
    );
  },
);
