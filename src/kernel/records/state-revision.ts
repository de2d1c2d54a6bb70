import { Closed, type TSchema } from '../schema/schema.ts';
import { Revision } from './versioned.ts';

/** One version of a record whose content never changes, only its state. */
export const StateRevision = <const State extends TSchema>(title: string, state: State) => {
  const { content: _, ...members } = Revision(title, state, Closed({})).properties;
  return Closed(members, { title });
};
