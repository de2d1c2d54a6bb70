import { failNotFound } from '../../kernel/access.ts';
import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, offsetQuery } from '../../kernel/operation/paging.ts';
import { listMembers } from './list-members.ts';
import { renderMembersPage } from './members.page.ts';
import * as roomRows from './room-rows.store.ts';
import { roomId } from './schemas.ts';

export const showMembers = page(
  'showMembers',
  {
    path: '/rooms/{id}/members',
    tag: 'rooms',
    summary: 'The members of a room, as a page.',
    description: 'For people. It shows what `{op:listMembers}` returns, to the same callers.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: offsetQuery,
    errors: ['not_found'],
  },
  async (context, { params, query: { offset } }) => {
    const page = { offset, limit: ITEMS_PER_PAGE };
    // listMembers decides about access and so runs first.
    const members = await runOperation(listMembers, context, { params, query: page, body: {} });
    const room = await roomRows.findRow(context.tx, params.id, context.agent.id);
    if (!room) throw failNotFound('room');
    return renderMembersPage(room, members, { ...page, more: context.reply.more === true });
  },
);
