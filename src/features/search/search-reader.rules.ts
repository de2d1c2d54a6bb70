import type { CaseSubjectKind } from '../../kernel/record-access.ts';

/** Who searches. */
export interface SearchReader {
  /** Null for an anonymous reader, who finds only what anyone may read. */
  readonly id: string | null;
  /** Rooms that the reader is a member of; of more than MAX_NAMED_ROOMS the first ones. */
  readonly rooms: readonly string[];
  /** Number of private rooms of the installation, counted up to MAX_COUNTED_ROOMS. */
  readonly privateRooms: number;
  /** The kinds of subjects of which cases are shown. */
  readonly caseSubjects: readonly CaseSubjectKind[];
}

/** Counting stops here, so that the count is cheap however many rooms there are. */
export const MAX_COUNTED_ROOMS = 2_000;

/** So few rooms are always named: nobody searches what strangers wrote in private. */
const FEW_ROOMS = 50;

/**
 * Whether to ask the index for the reader's rooms by name. That costs as much as those rooms
 * contain; filtering out messages of other rooms afterwards costs as much as the others contain.
 */
export const isNarrow = ({ rooms, privateRooms }: SearchReader): boolean =>
  rooms.length <= FEW_ROOMS || rooms.length * 10 <= privateRooms;

/** So many rooms of a reader are sent with a search. Those of one with more stay in PostgreSQL. */
export const MAX_NAMED_ROOMS = 1_000;
