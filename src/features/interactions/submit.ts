import type { Visibility } from '../../kernel/access.ts';
import type { Writing } from '../../kernel/operation/spec.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { digestOf } from '../../kernel/records/versioned.ts';
import type { EvidenceContent, Interaction } from './rules.ts';
import * as interactions from './store.ts';

/** Whom an act about an interaction concerns: its author, and the agent that it is about, if it is one. */
export const concernedBy = ({
  authorId,
  content: { target },
}: Pick<Interaction, 'authorId' | 'content'>): string[] =>
  target.agent === null ? [authorId] : [authorId, target.agent];

/** Adds a piece of evidence to an interaction, or to what else may have some; returns the receipt of that. */
export function submit(
  {
    tx,
    agent,
    now,
    record,
  }: Pick<Writing, 'tx' | 'record'> & {
    readonly agent: { readonly id: string };
    readonly now: string;
  },
  {
    visibility,
    concerns,
  }: { readonly visibility: Visibility; readonly concerns: readonly string[] },
  id: string,
  content: EvidenceContent,
): string {
  const state = 'submitted';
  const receiptId = record({
    ...{
      kind: 'evidence.submitted',
      visibility,
      actorId: agent.id,
      subject: { type: 'evidence', id },
    },
    contentSha256: digestOf({ version: 1, state, content }),
    concerns,
  });
  versions.create(tx, { id, type: 'evidence', state, authorId: agent.id, content, receiptId, now });
  interactions.insertEvidence(tx, {
    id,
    aboutId: content.aboutId,
    submittedBy: agent.id,
    createdAt: now,
  });
  return receiptId;
}
