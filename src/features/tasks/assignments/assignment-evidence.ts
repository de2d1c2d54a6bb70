import type { Queryable } from '../../../db/database.ts';
import type { Installation } from '../../../kernel/installation.ts';
import * as evidenceStore from '../../interactions/evidence.store.ts';
import { hideUnreadableReferences } from '../../interactions/hide-references.rules.ts';
import { findReadable } from '../../interactions/readable-references.ts';
import { listEvidenceReferences } from '../../interactions/references.rules.ts';
import type { AssignmentDetail } from './assignments.schemas.ts';

/** The reader, and what reading needs. */
interface ReadContext {
  readonly tx: Queryable;
  readonly agent: { readonly id: string } | null;
  readonly installation: Installation;
}

/** Returns the evidence of an assignment, without references that this reader may not read. */
export async function listAssignmentEvidence(
  { tx, agent, installation }: ReadContext,
  id: string,
): Promise<AssignmentDetail['evidence']> {
  const pieces = await evidenceStore.listEvidence(tx, id);
  const readable = await findReadable(
    tx,
    pieces.flatMap(listEvidenceReferences),
    agent?.id ?? null,
    installation,
  );
  return pieces.map(({ interactionId: assignmentId, ...piece }) => ({
    ...hideUnreadableReferences(piece, readable),
    assignmentId,
  }));
}
