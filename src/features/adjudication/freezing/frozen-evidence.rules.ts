import { fail } from '../../../kernel/errors.ts';
import { computeDigest } from '../../../kernel/records/versioned.ts';
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

/**
 * Freezes the evidence of the next round: the pieces of the newest round that were not withdrawn,
 * and the pieces with the ids in `wanted`. Errors: `not_found` for an id that is not among the
 * evidence, `state_conflict` if an earlier round had all of `wanted`.
 */
export function freezeNextEvidence(
  pieces: readonly StoredEvidence[],
  rounds: readonly Pick<FrozenRound, 'evidence'>[],
  wanted: readonly string[],
): FrozenEvidence[] {
  const earlierEvidence = rounds.map(({ evidence }) => evidence.map(({ id }) => id));
  const carriedOver = pieces
    .filter((piece) => isSubmitted(piece) && earlierEvidence.at(-1)?.includes(piece.id))
    .map(({ id }) => id);
  const evidence = freezeEvidence(pieces, [...carriedOver, ...wanted]);
  if (wanted.every((id) => earlierEvidence.flat().includes(id)))
    throw fail(
      'state_conflict',
      'Earlier rounds already had all of this evidence. A new round needs at least one new ' +
        'piece: submit it first.',
      { state: 'closed' },
    );
  return evidence;
}
