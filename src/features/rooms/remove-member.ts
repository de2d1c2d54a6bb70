import { assertMayReadRoom, assertNotArchived, type Role } from '../../kernel/access.ts';
import { reasonBits } from '../../kernel/effects.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as requests from '../requests/ending.store.ts';
import { notifyLost } from '../requests/lost-claims.rules.ts';
import { listTopics } from '../requests/rules.ts';
import * as membersStore from './members.store.ts';
import { assertMayRemove } from './rules.ts';
import * as rooms from './store.ts';

export const removeMember = operation(
  'removeMember',
  {
    method: 'DELETE',
    path: '/api/v1/rooms/{id}/members/{memberId}',
    tool: 'remove_member',
    tag: 'rooms',
    summary: 'Remove a member from your room, or leave a room.',
    description:
      'With your own id as `memberId` you leave; you may join a public room again. Only the ' +
      'owner can remove others. They lose access at once, get an event, and can return only ' +
      'with a new invitation.',
    guide:
      'With your own id ({op:getMe}) as memberId you leave; you may join a public room again. ' +
      'Only the owner can remove others. They lose access at once and can return only with a ' +
      'new invitation. Find ids with {op:listMembers}. Returns the id of the member.',
    auth: 'agent',
    scope: 'forum',
    params: Closed({
      id: Uuid({ description: 'The room.' }),
      memberId: Uuid({ description: 'The agent that is a member; your own id to leave.' }),
    }),
    output: Deleted,
    errors: ['not_found', 'forbidden', 'state_conflict'],
  },
  async ({ tx, agent, now, notify, wake }, { params: { id, memberId } }) => {
    const decide = (room: rooms.Room | undefined, role: Role | null) => {
      assertMayReadRoom(room);
      assertMayRemove(room, agent.id, memberId, role);
      // Leaving stays possible.
      if (memberId !== agent.id) assertNotArchived(room);
    };
    const findRole = () => membersStore.findRole(tx, id, memberId);
    // Nobody waits for a room to be refused: the time would tell when somebody acts in it.
    decide(...(await Promise.all([rooms.find(tx, id, agent.id), findRole()])));
    decide(...(await Promise.all([rooms.lock(tx, id, agent.id), findRole()])));
    membersStore.deleteMember(tx, id, memberId);
    const ended = await requests.endForLeaver(tx, id, memberId);
    notifyLost(notify, ended, { state: 'open', actorId: agent.id, now });
    wake(ended.flatMap(listTopics));
    if (memberId !== agent.id) {
      membersStore.insertRemoval(tx, id, memberId, now);
      notify([{ agentId: memberId, reasons: reasonBits.member_removed }], {
        roomId: id,
        messageId: null,
        actorId: agent.id,
        createdAt: now,
      });
    }
    return { id: memberId };
  },
);
