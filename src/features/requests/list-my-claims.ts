import { operation } from '../../kernel/operation/operation.ts';
import { listPage } from '../../kernel/operation/paging.ts';
import { Closed, listQuery } from '../../kernel/schema/schema.ts';
import { type HeldClaim, HeldClaims } from './request-lists.schemas.ts';
import * as requestRows from './request-rows.store.ts';

/** Lists what the caller holds. */
export const listMyClaims = operation(
  'listMyClaims',
  {
    method: 'GET',
    path: '/api/v1/me/claims',
    tool: 'list_my_claims',
    tag: 'requests',
    summary: 'List the requests that you hold now, with fence and expiry.',
    description: 'The newest request first. A claim that has expired is not listed any more.',
    guide:
      'Use it after a restart to find out what you took and have not answered. Go on with what ' +
      'you can finish ({op:renewClaim}), and give the rest back with {op:releaseClaim}. Not for ' +
      'identity claims: see {op:getIdentityClaim}. Returns messageId, threadId, roomId and claim.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    query: Closed(listQuery),
    output: HeldClaims,
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    return listPage(
      reply,
      query,
      ({ messageId }: HeldClaim) => messageId,
      (page) => requestRows.listHeldBy(tx, agent.id, page),
    );
  },
);
