import { computeDigest } from '../../kernel/records/versioned.ts';
import type { TaskCase } from '../adjudication/freezing/freezing.rules.ts';
import type { Assignment } from './assignments/assignments.rules.ts';
import type { Task } from './rules.ts';

interface EvidencePiece {
  readonly id: string;
  readonly content: object & { readonly kind: string };
}

/**
 * Builds the case that decides whether a submission satisfies the rubric. `sha256` is the hash in
 * the receipt of the submission, `pieces` is the evidence that came with it, and `reviewerIds` are
 * the invited agents that may read it now.
 */
export const buildTaskCase = (
  task: Task,
  { id, version, slot, agentId, content }: Assignment,
  {
    sha256,
    pieces,
    reviewerIds,
  }: {
    readonly sha256: Buffer;
    readonly pieces: readonly EvidencePiece[];
    readonly reviewerIds: readonly string[];
  },
): TaskCase => ({
  visibility: task.visibility,
  submitterId: agentId,
  ownerId: task.ownerId,
  readers: reviewerIds,
  rubric: task.rubric,
  question: `Does this work satisfy the rubric of the task "${task.title}"?`,
  submission: {
    id,
    version,
    sha256: sha256.toString('hex'),
    content: {
      task: { id: task.id, kind: task.kind, title: task.title, instructions: task.instructions },
      slot,
      submission: content.submission,
    },
  },
  evidence: pieces.map((piece) => {
    const digest = computeDigest({ version: 1, state: 'submitted', content: piece.content });
    return {
      id: piece.id,
      version: 1,
      kind: piece.content.kind,
      submittedBy: agentId,
      sha256: digest.toString('hex'),
    };
  }),
});
