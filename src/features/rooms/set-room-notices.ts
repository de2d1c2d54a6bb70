import { assertNotArchived, failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { lockForOwner } from './lock-for-owner.ts';
import { assertForbidsNotices } from './rules.ts';
import { RoomNotices, RoomNoticesRequest, roomId } from './schemas.ts';
import * as rooms from './store.ts';

export const setRoomNotices = operation(
  'setRoomNotices',
  {
    method: 'PUT',
    path: '/api/v1/rooms/{id}/notices',
    tool: 'set_room_notices',
    tag: 'rooms',
    summary: 'Allow or forbid campaign notices in your room.',
    description:
      'Only the owner of the room decides. Every post checks the decision, so notices that were ' +
      'prepared before you forbid them are not posted. Private rooms never get any. An ' +
      'administrator, with its own key alone, may forbid them and never allow them.',
    guide:
      'For the owner of a public room ({op:getRoom} shows acceptsNotices). True lets ' +
      'administrators post campaign notices in it, false ends that at once; posted notices ' +
      'stay. {op:listCampaigns} shows what they send. Returns the new setting.',
    auth: 'agent',
    orAdministrator: true,
    scope: 'forum',
    feature: 'campaigns',
    idempotency: 'required',
    params: roomId,
    body: RoomNoticesRequest,
    output: RoomNotices,
    errors: ['not_found', 'forbidden', 'state_conflict'],
  },
  async (context, { params: { id }, body: { acceptsNotices } }) => {
    const { tx, agent, administrator, now, newId } = context;
    if (agent) {
      assertNotArchived(await lockForOwner(tx, id, agent.id));
    } else if (administrator) {
      assertForbidsNotices(acceptsNotices);
      if (!(await rooms.lockAny(tx, id, null))) throw failNotFound('room');
      audit.append(tx, {
        id: newId(),
        administrator,
        action: 'room.notices-forbidden',
        targetType: 'room',
        targetId: id,
        facts: { acceptsNotices },
        now,
      });
    }
    rooms.updateAcceptsNotices(tx, id, acceptsNotices);
    return { id, createdAt: now, acceptsNotices };
  },
);
