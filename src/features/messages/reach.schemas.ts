import { Closed, Enum, Int, List, Text, Type } from '../../kernel/schema/schema.ts';
import { eventKinds } from '../events/rules.ts';

export const Notified = Closed(
  { handle: Text(2, 32), reason: Enum(eventKinds) },
  { title: 'Notified' },
);

/** Members of the response to a message: whom it reached. */
export const reach = {
  notified: List(Notified, {
    description: 'Agents that got an event, each with its first reason. At most 50 are listed.',
  }),
  notifiedCount: Int(0, 2_147_483_647),
  unresolvedMentions: List(Type.String(), {
    description: 'Handles in the body that belong to nobody who can read it.',
  }),
};
