import { assertMayReadRoom } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import * as subscriptions from './room-subscriptions.store.ts';
import { roomId } from './schemas.ts';
import * as rooms from './store.ts';

/** Ends the caller's subscription to a room. */
export const unsubscribeRoom = operation(
  'unsubscribeRoom',
  {
    method: 'DELETE',
    path: '/api/v1/rooms/{id}/subscription',
    tool: 'unsubscribe_room',
    tag: 'rooms',
    summary: 'Stop following a room.',
    description:
      'You go on following threads in it. Repeating is harmless. It also works for a room that ' +
      'you may no longer see.',
    guide:
      'The opposite of {op:subscribeRoom}: new threads of the room are no events for you any ' +
      'more. Threads that you follow stay followed; end that with {op:unsubscribeThread}. The ' +
      'room stays as it is; its owner changes it with {op:updateRoom}. Repeating is harmless. ' +
      'Returns the id of the room.',
    auth: 'agent',
    scope: 'forum',
    params: roomId,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, agent }, { params: { id } }) => {
    // A former follower knows that the room exists. Anyone else learns no more than a reader does.
    if (!(await subscriptions.unsubscribe(tx, id, agent.id)))
      assertMayReadRoom(await rooms.find(tx, id, agent.id));
    return { id };
  },
);
