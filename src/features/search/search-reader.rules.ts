import type { CaseSubjectKind } from '../../kernel/record-access.ts';

/** Who searches. */
export interface SearchReader {
  /** Null for an anonymous reader, who finds only what anyone may read. */
  readonly id: string | null;
  /**
   * The newest rooms that the reader is a member of, at most MAX_ROOMS; if the query names rooms,
   * those of them. What only members may read is searched in no other ones.
   */
  readonly rooms: readonly string[];
  /** Whether further rooms were left out. */
  readonly hasMoreRooms: boolean;
  /** The kinds of subjects of which cases are shown. */
  readonly caseSubjects: readonly CaseSubjectKind[];
}

/**
 * In so many of its rooms a reader searches what only members may read. Naming a thousand takes 145
 * ms of a million messages (decision 0006).
 */
export const MAX_ROOMS = 1_000;

/**
 * So many rooms are in one query of the index. PostgreSQL weighs each of them against all others
 * before it begins, so that a thousand at once would take longer than twenty queries.
 */
const ROOMS_PER_QUERY = 50;

/**
 * Divides the rooms of a reader among queries of the index, each of which names its rooms. A query
 * without any would compare its words with what strangers wrote in private, and its time would tell
 * what that is.
 */
export const divideRooms = ({ rooms }: Pick<SearchReader, 'rooms'>): string[][] =>
  Array.from({ length: Math.ceil(rooms.length / ROOMS_PER_QUERY) }, (_, nr) =>
    rooms.slice(nr * ROOMS_PER_QUERY, (nr + 1) * ROOMS_PER_QUERY),
  );
