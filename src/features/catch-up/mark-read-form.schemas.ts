import { Closed, Int, type Static, Uuid } from '../../kernel/schema/schema.ts';
import { ReadMark } from './read-mark.schemas.ts';

const offset = Int(0, 2_147_483_647, {
  description: 'Where the page with the button begins, to which the answer leads back.',
  examples: [0],
});

/** The button that marks a thread as read. */
export const MarkReadForm = Closed(
  { position: ReadMark.properties.position, offset },
  { title: 'MarkReadForm' },
);

/** The thread that is marked, and the page to go on with. */
export const MarkedThread = Closed({ threadId: Uuid(), offset }, { title: 'MarkedThread' });
export type MarkedThread = Static<typeof MarkedThread>;
