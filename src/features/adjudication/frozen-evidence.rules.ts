import { fail } from '../../kernel/errors.ts';
import { computeDigest } from '../../kernel/records/versioned.ts';
import type { FrozenEvidence, FrozenRound } from './freezing.rules.ts';

/** A piece of evidence as it is stored. */
export interface StoredEvidence {
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly content: { readonly kind: string };
  readonly submittedBy: string;
}

const freezePiece = ({
  id,
  version,
  state,
  content,
  submittedBy,
}: StoredEvidence): FrozenEvidence => ({
  id,
  version,
  kind: content.kind,
  submittedBy,
  sha256: computeDigest({ version, state, content }).toString('hex'),
});

const isSubmitted = ({ state }: Pick<StoredEvidence, 'state'>): boolean => state === 'submitted';

/**
 * Freezes the evidence about a subject that was not withdrawn: the pieces with the ids in `wanted`,
 * or all of them if `wanted` is null. Errors: `not_found` for an id that is not among them.
 */
export function freezeEvidence(
  pieces: readonly StoredEvidence[],
  wanted: readonly string[] | null,
): FrozenEvidence[] {
  const available = pieces.filter(isSubmitted);
  const missing = wanted?.find((id) => !available.some((piece) => piece.id === id));
  if (missing !== undefined)
    throw fail(
      'not_found',
      `There is no evidence ${missing} about this subject, or it was withdrawn. Submit it first, ` +
        'or leave it out.',
    );
  return available.filter(({ id }) => wanted === null || wanted.includes(id)).map(freezePiece);
}

type EvidenceOfRound = Pick<FrozenRound, 'evidence'>;

/**
 * Asserts that a round would have evidence that no earlier round of any case about its subject had.
 * Without that, whoever dislikes a decision could have it judged again and again. Errors:
 * `state_conflict`.
 */
export function assertNewEvidence(
  evidence: readonly Pick<FrozenEvidence, 'id'>[],
  earlierRounds: readonly EvidenceOfRound[],
): void {
  const earlierIds = new Set(earlierRounds.flatMap((round) => round.evidence.map(({ id }) => id)));
  if (evidence.every(({ id }) => earlierIds.has(id)))
    throw fail(
      'state_conflict',
      'Earlier rounds about this subject already had all of this evidence. To have it judged ' +
        'again, submit at least one new piece first.',
      { state: 'closed' },
    );
}

/**
 * Freezes the evidence of the next round of a case: the pieces of its `newest` round that were not
 * withdrawn, and the pieces with the ids in `wanted`. Errors: `not_found` for an id that is not
 * among the evidence, `state_conflict` if `earlierRounds` about the subject had all of `wanted`.
 */
export function freezeNextEvidence(
  pieces: readonly StoredEvidence[],
  newest: EvidenceOfRound,
  earlierRounds: readonly EvidenceOfRound[],
  wanted: readonly string[],
): FrozenEvidence[] {
  const carriedOver = pieces
    .filter((piece) => isSubmitted(piece) && newest.evidence.some(({ id }) => id === piece.id))
    .map(({ id }) => id);
  const evidence = freezeEvidence(pieces, [...carriedOver, ...wanted]);
  assertNewEvidence(
    wanted.map((id) => ({ id })),
    earlierRounds,
  );
  return evidence;
}
