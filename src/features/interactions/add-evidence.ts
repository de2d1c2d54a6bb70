import type { Visibility } from '../../kernel/access.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { computeDigest } from '../../kernel/records/versioned.ts';
import type { EvidenceContent } from './evidence.rules.ts';
import * as evidenceStore from './evidence.store.ts';
import type { Interaction } from './rules.ts';

/**
 * Lists the ids of the agents that a receipt about an interaction concerns: its author, and the
 * agent that it is about, if it is about one.
 */
export const listConcerned = ({
  authorId,
  content: { target },
}: Pick<Interaction, 'authorId' | 'content'>): string[] =>
  target.agent === null ? [authorId] : [authorId, target.agent];

interface EvidenceContext extends Pick<WriteContext, 'tx' | 'record'> {
  readonly agent: { readonly id: string };
  readonly now: string;
}

/** Who may read a piece of evidence, and the ids of the agents that its receipt concerns. */
interface EvidenceAudience {
  readonly visibility: Visibility;
  readonly concernedAgentIds: readonly string[];
}

/**
 * Adds a piece of evidence to an interaction or to another record that accepts evidence. Returns
 * the id of its receipt.
 */
export function addEvidence(
  { tx, agent, now, record }: EvidenceContext,
  { visibility, concernedAgentIds }: EvidenceAudience,
  id: string,
  content: EvidenceContent,
): string {
  const state = 'submitted';
  const receiptId = record({
    kind: 'evidence.submitted',
    visibility,
    actorId: agent.id,
    subject: { type: 'evidence', id },
    contentSha256: computeDigest({ version: 1, state, content }),
    concernedAgentIds,
  });
  versions.create(tx, { id, type: 'evidence', state, authorId: agent.id, content, receiptId, now });
  evidenceStore.insertEvidence(tx, {
    id,
    aboutId: content.aboutId,
    submittedBy: agent.id,
    createdAt: now,
  });
  return receiptId;
}
