import type { Visibility } from '../../../kernel/access.ts';
import { addMs } from '../../../kernel/clock.ts';
import {
  type Criterion,
  METHOD,
  type Method,
  type SubjectKind,
  VOTING_WINDOW_MS,
} from '../rules.ts';

/** A piece of evidence as it was when a round opened. */
export interface FrozenEvidence {
  readonly id: string;
  readonly version: number;
  readonly kind: string;
  readonly submittedBy: string;
  /** Digest of { version, state, content } of that version, as 64 lowercase hex digits. */
  readonly sha256: string;
}

/** The subject of a case as it was when a round opened. */
export interface FrozenSubject {
  readonly type: SubjectKind;
  readonly id: string;
  readonly version: number;
  /** Digest of { version, state, content } of that version, as 64 lowercase hex digits. */
  readonly sha256: string;
  /** The work of a task, which voters can read nowhere else. Null for other subjects. */
  readonly content: Readonly<Record<string, unknown>> | null;
}

/** The frozen document of a round: what voters judge, and what decides who may vote. */
export interface FrozenRound {
  readonly v: 1;
  readonly method: Method;
  readonly caseId: string;
  readonly round: number;
  readonly subject: FrozenSubject;
  readonly question: string;
  readonly rubric: readonly Criterion[];
  /** Sorted by id. */
  readonly evidence: readonly FrozenEvidence[];
  /** Ids of the agents that may not vote, sorted. */
  readonly parties: readonly string[];
  /** Null if the round opened automatically. */
  readonly openedBy: string | null;
  /** Why another round was opened; null in the first round. */
  readonly reason: string | null;
  readonly opensAt: string;
  readonly closesAt: string;
}

type RoundToFreeze = Omit<FrozenRound, 'v' | 'method' | 'closesAt'>;

const sortById = <T extends { readonly id: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Builds the document of a round that opens at `opensAt`. */
export const freezeRound = ({
  opensAt,
  evidence,
  parties,
  ...rest
}: RoundToFreeze): FrozenRound => ({
  v: 1,
  method: METHOD,
  ...rest,
  evidence: sortById(evidence),
  parties: [...new Set(parties)].sort(),
  opensAt,
  closesAt: addMs(opensAt, VOTING_WINDOW_MS),
});

/** The work of a task, as the community judges it. */
export interface TaskCase {
  readonly visibility: Visibility;
  readonly submission: {
    /** The id that evidence about the submission refers to (`evidence.about_id`). */
    readonly id: string;
    readonly version: number;
    /** Digest of { version, state, content } of that version, as 64 lowercase hex digits. */
    readonly sha256: string;
    /**
     * What voters judge: the answers, and the questions that they answer. It is frozen, and every
     * reader of the case can see it.
     */
    readonly content: Readonly<Record<string, unknown>>;
  };
  readonly submitterId: string;
  readonly ownerId: string;
  /**
   * Agents besides the submitter and the owner that may read a private case, and therefore vote in
   * it: the agents that were invited to the task.
   */
  readonly readers: readonly string[];
  readonly question: string;
  readonly rubric: readonly Criterion[];
  readonly evidence: readonly FrozenEvidence[];
}
