import canonicalize from 'canonicalize';
import type { Visibility } from '../../kernel/access.ts';
import { later } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { digestOf } from '../../kernel/records/versioned.ts';
import type { CaseState } from './transitions.ts';

export const subjectKinds = ['interaction', 'task_submission'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export const results = ['upheld', 'rejected', 'inconclusive'] as const;
export type Result = (typeof results)[number];

/** From its opening a round takes ballots for so long. */
export const WINDOW_MS = 72 * 3600 * 1000;

/** The rules by which a round is decided, as documents name them. What a name means never changes. */
export const METHOD = 'stoa-adjudication/1';

export interface Criterion {
  readonly id: string;
  readonly text: string;
}

/** A piece of evidence as it was when a round opened. */
export interface FrozenEvidence {
  readonly id: string;
  readonly version: number;
  readonly kind: string;
  readonly submittedBy: string;
  /** Over { version, state, content } of that version, 64 lowercase hex digits. */
  readonly sha256: string;
}

export interface FrozenSubject {
  readonly type: SubjectKind;
  readonly id: string;
  readonly version: number;
  /** Over { version, state, content } of that version. */
  readonly sha256: string;
  /** What is judged, where it can be read nowhere else: the work of a task. */
  readonly content: Readonly<Record<string, unknown>> | null;
}

/** A piece of evidence as it is kept. */
export interface Piece {
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly content: { readonly kind: string };
  readonly submittedBy: string;
}

const freezePiece = ({ id, version, state, content, submittedBy }: Piece): FrozenEvidence => ({
  ...{
    id,
    version,
    kind: content.kind,
    submittedBy,
    sha256: digestOf({ version, state, content }).toString('hex'),
  },
});

const stands = ({ state }: Pick<Piece, 'state'>): boolean => state === 'submitted';

/** What a round freezes of the evidence about its subject; null: all that stands. Errors: `not_found` for what is not among it, or was withdrawn. */
export function freezeEvidence(
  pieces: readonly Piece[],
  wanted: readonly string[] | null,
): FrozenEvidence[] {
  const standing = pieces.filter(stands);
  const missing = wanted?.find((id) => !standing.some((piece) => piece.id === id));
  if (missing !== undefined)
    throw fail(
      'not_found',
      `There is no evidence ${missing} about this that stands. Submit it first, or leave it out.`,
    );
  return standing.filter(({ id }) => wanted === null || wanted.includes(id)).map(freezePiece);
}

/** What the next round freezes: what stands of the newest one, and what is new. Errors: `not_found`, and `state_conflict` where no piece is new to all rounds. */
export function freezeMore(
  pieces: readonly Piece[],
  rounds: readonly Pick<Frozen, 'evidence'>[],
  wanted: readonly string[],
): FrozenEvidence[] {
  const before = rounds.map(({ evidence }) => evidence.map(({ id }) => id));
  const kept = pieces
    .filter((piece) => stands(piece) && before.at(-1)?.includes(piece.id))
    .map(({ id }) => id);
  const evidence = freezeEvidence(pieces, [...kept, ...wanted]);
  if (wanted.every((id) => before.flat().includes(id)))
    throw fail(
      'state_conflict',
      'An earlier round had all of this evidence. A new round needs evidence that none had: submit it first.',
      { state: 'closed' },
    );
  return evidence;
}

/** What a round froze: all that voters judge and that decides who may vote. */
export interface Frozen {
  readonly v: 1;
  readonly method: typeof METHOD;
  readonly caseId: string;
  readonly round: number;
  readonly subject: FrozenSubject;
  readonly question: string;
  readonly rubric: readonly Criterion[];
  /** In the order of ids. */
  readonly evidence: readonly FrozenEvidence[];
  /** Who does not vote: in the order of ids. */
  readonly parties: readonly string[];
  /** Null: it opened by itself. */
  readonly openedBy: string | null;
  /** Why there is another round; null in the first. */
  readonly reason: string | null;
  readonly opensAt: string;
  readonly closesAt: string;
}

type ToFreeze = Omit<Frozen, 'v' | 'method' | 'closesAt'>;

const byId = <T extends { readonly id: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The document of a round that opens. */
export const freeze = ({ opensAt, evidence, parties, ...rest }: ToFreeze): Frozen => ({
  ...{
    v: 1,
    method: METHOD,
    ...rest,
    evidence: byId(evidence),
    parties: [...new Set(parties)].sort(),
  },
  ...{ opensAt, closesAt: later(opensAt, WINDOW_MS) },
});

/** The work of a task that the community shall judge. */
export interface TaskCase {
  readonly visibility: Visibility;
  readonly submission: {
    /** What evidence to it is about (`evidence.about_id`). */
    readonly id: string;
    readonly version: number;
    /** Over { version, state, content } of that version, 64 lowercase hex digits. */
    readonly sha256: string;
    /** What voters judge: the answers, and what was asked. It is frozen, and shown to whoever may read the case. */
    readonly content: Readonly<Record<string, unknown>>;
  };
  readonly submitterId: string;
  readonly ownerId: string;
  /** Who may read a private case, and so vote in it, besides the two: those whom the task was made for. */
  readonly readers: readonly string[];
  readonly question: string;
  readonly rubric: readonly Criterion[];
  readonly evidence: readonly FrozenEvidence[];
}

/** SHA-256 over the RFC 8785 form of a document. */
export const digestOfDocument = (document: object): Buffer => sha256(canonicalize(document) ?? '');

/** Errors: `invalid_request` where two criteria have one id. */
export function assertDistinct(rubric: readonly Criterion[]): void {
  const index = rubric.findIndex(({ id }, at) => rubric.findIndex((other) => other.id === id) < at);
  if (index >= 0)
    throw invalid(`/body/rubric/${index}/id`, 'is the id of another criterion already');
}

/** Errors: `forbidden`. The agent is known to be allowed to read it. */
export function assertPublic({ visibility }: { readonly visibility: Visibility }): void {
  if (visibility === 'private')
    throw fail(
      'forbidden',
      'Only a public interaction can be put before the community: who judges it must read it. Record a public one.',
    );
}

/** Errors: `state_conflict`. */
export function assertNotWithdrawn({ state }: { readonly state: string }): void {
  if (state === 'withdrawn')
    throw fail('state_conflict', 'It was withdrawn, and then nobody judges it any more.', {
      state,
    });
}

/** Errors: `state_conflict`. */
export function assertClosed({ state }: { readonly state: CaseState }): void {
  if (state === 'open')
    throw fail(
      'state_conflict',
      'Its newest round is still open. Wait for its result; evidence can be submitted meanwhile.',
      { state },
    );
}

/** Errors: `already_exists` with `existingId`. `open`: the case about the subject that is; it is known to be readable. */
export function assertNoneOpen(open: { readonly id: string } | undefined): void {
  if (open)
    throw fail(
      'already_exists',
      'A case about this is open already. Read it, and vote or wait for its result.',
      { existingId: open.id },
    );
}
