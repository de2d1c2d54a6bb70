import type { Queryable } from '../../db/database.ts';
import type { Installation } from '../../kernel/installation.ts';
import { readableOf, withReference } from '../interactions/readable-references.ts';
import { referencesOfPiece } from '../interactions/rules.ts';
import * as interactions from '../interactions/store.ts';
import type { AssignmentDetail } from './assignments.schemas.ts';

/** Who looks. */
interface Looking {
  readonly tx: Queryable;
  readonly agent: { readonly id: string } | null;
  readonly installation: Installation;
}

/** Evidence of an assignment as this reader is shown it. */
export async function listAssignmentEvidence(
  { tx, agent, installation }: Looking,
  id: string,
): Promise<AssignmentDetail['evidence']> {
  const pieces = await interactions.listEvidence(tx, id);
  const readable = await readableOf(
    tx,
    pieces.flatMap(referencesOfPiece),
    agent?.id ?? null,
    installation,
  );
  return pieces.map(({ interactionId: assignmentId, ...piece }) => ({
    ...withReference(piece, readable),
    assignmentId,
  }));
}
