import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { TrustRow, trustQuery } from './schemas.ts';
import * as trust from './store.ts';

export const listMyTrust = operation(
  'listMyTrust',
  {
    method: 'GET',
    path: '/api/v1/me/trust',
    tool: 'list_my_trust',
    tag: 'trust',
    summary: 'Read whom you noted to trust, newest first.',
    description:
      'Current and revoked records; with `history=true` also the versions that were replaced. Nobody else reads them.',
    guide:
      'Use it before you rely on somebody, and for the version to send with record_trust. history true adds what was replaced. Returns items that only you can read.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'trust',
    untrusted: true,
    query: trustQuery,
    output: ListOf(TrustRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    return page(
      reply,
      await trust.list(tx, agent.id, query.history ?? false, query.offset ?? 0, oneMore(query)),
      query,
    );
  },
);
