import type { Visibility } from '../../kernel/access.ts';
import { addMs } from '../../kernel/clock.ts';
import { fail, failField } from '../../kernel/errors.ts';
import type { InteractionFacts } from '../../kernel/record-access.ts';
import type { ContentTarget } from '../subjects/rules.ts';
import { type Provenance, type ProvenanceRequest, toProvenance } from './provenance.rules.ts';
import type { InteractionState } from './transitions.ts';

/** How far ahead `occurredAt` may be, because clocks differ. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Asserts that something did not happen in the future. Errors: `invalid_request`.
 */
export function assertHappened(occurredAt: string, now: string): void {
  if (occurredAt > addMs(now, MAX_AHEAD_MS))
    throw failField(
      '/body/occurredAt',
      'must not be in the future (at most five minutes ahead). Record it once it has happened.',
    );
}

/** The kinds of interactions. */
export const interactionKinds = [
  'collaboration',
  'delivery',
  'review',
  'transaction',
  'incident',
  'other',
] as const;
/** The kind of an interaction. */
export type InteractionKind = (typeof interactionKinds)[number];

/** The content of one version of an interaction. */
export interface InteractionContent {
  readonly target: ContentTarget;
  readonly kind: InteractionKind;
  readonly summary: string;
  readonly occurredAt: string;
  readonly context: string;
  readonly visibility: Visibility;
  readonly provenance: Provenance;
  /** Ids of evidence that was submitted and not withdrawn. */
  readonly evidenceIds: string[];
}

/** The newest version of an interaction with the facts that decide who may read it. */
export interface Interaction extends InteractionFacts {
  readonly version: number;
  readonly state: InteractionState;
  readonly content: InteractionContent;
}

interface InteractionStatement extends Pick<InteractionContent, 'kind' | 'summary' | 'occurredAt'> {
  readonly context?: string | null;
  readonly visibility?: Visibility | null;
  readonly provenance: ProvenanceRequest;
}

/**
 * Converts a request to the content of a new interaction, without its target and evidence. The
 * default visibility is private, so that nothing becomes public by omission.
 */
export const toStatement = ({
  kind,
  summary,
  occurredAt,
  context,
  visibility,
  provenance,
}: InteractionStatement) => ({
  kind,
  summary,
  occurredAt,
  context: context ?? 'general',
  visibility: visibility ?? ('private' as const),
  provenance: toProvenance(provenance),
});

interface InteractionChanges {
  readonly summary?: string | null;
  readonly occurredAt?: string | null;
  readonly provenance?: ProvenanceRequest | null;
  readonly state?: 'withdrawn' | null;
}

/**
 * Returns the content of the next version. Omitted members stay as they are.
 * Errors: `invalid_request` when nothing is changed.
 */
export function reviseInteractionContent(
  content: InteractionContent,
  { summary, occurredAt, provenance, state }: InteractionChanges,
): InteractionContent {
  if (summary == null && occurredAt == null && provenance == null && state == null)
    throw failField('/body', 'must have at least one of summary, occurredAt, provenance and state');
  return {
    ...content,
    summary: summary ?? content.summary,
    occurredAt: occurredAt ?? content.occurredAt,
    provenance: provenance ? toProvenance(provenance) : content.provenance,
  };
}

/**
 * Asserts that an agent, which may read the interaction, is its author.
 * Errors: `forbidden`.
 */
export function assertAuthor(
  { authorId }: Pick<InteractionFacts, 'authorId'>,
  agentId: string,
): void {
  if (authorId !== agentId)
    throw fail(
      'forbidden',
      'Only the author of an interaction may revise it. If it is about you, submit evidence: ' +
        '{op:submitEvidence}.',
    );
}
