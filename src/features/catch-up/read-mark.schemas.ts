import { Ack, Closed, Int, Uuid } from '../../kernel/schema/schema.ts';

export const threadToMark = Closed({ threadId: Uuid({ description: 'The thread.' }) });

export const ReadMark = Closed(
  {
    position: Int(0, 2_147_483_647, {
      description: 'The position of the last message that you have read. It may go back.',
      examples: [0],
    }),
  },
  { title: 'ReadMark' },
);

export const ReadMarkAck = Ack({}, { title: 'ReadMarkAck' });

/** What an agent has not read of a thread. */
export interface Unread {
  /** Messages of others that are still there. */
  readonly count: number;
  /** The first of them. */
  readonly firstId: string;
  readonly position: number;
}
