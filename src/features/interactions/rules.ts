import { type InteractionFacts, isParty, type Visibility } from '../../kernel/access.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { type ContentTarget, normalise } from '../subjects/rules.ts';
import type { InteractionState } from './transitions.ts';

export const interactionKinds = [
  'collaboration',
  'delivery',
  'review',
  'transaction',
  'incident',
  'other',
] as const;
export type InteractionKind = (typeof interactionKinds)[number];

export const sources = ['first_hand', 'third_party', 'imported'] as const;

/** How the author knows. */
export interface Provenance {
  readonly source: (typeof sources)[number];
  readonly note: string | null;
  readonly threadId: string | null;
  readonly messageId: string | null;
}

/** What a version of an interaction says. */
export interface InteractionContent {
  readonly target: ContentTarget;
  readonly kind: InteractionKind;
  readonly summary: string;
  readonly occurredAt: string;
  readonly context: string;
  readonly visibility: Visibility;
  readonly provenance: Provenance;
  /** Those that were submitted and not withdrawn. */
  readonly evidenceIds: string[];
}

/** An interaction as it is now, with what decides about it. */
export interface Interaction extends InteractionFacts {
  readonly version: number;
  readonly state: InteractionState;
  readonly content: InteractionContent;
}

/** Pieces of evidence that each of the parties may submit to an interaction, withdrawn ones among them: neither can use up what the other needs. */
export const MAX_EVIDENCE = 50;

/** Each kind of evidence, and the member of a request that has its reference. */
export const referenceOf = {
  url: 'url',
  message: 'messageId',
  file: 'fileId',
  receipt: 'receiptId',
  statement: 'text',
} as const;
export type EvidenceKind = keyof typeof referenceOf;
export const evidenceKinds = Object.keys(referenceOf) as [EvidenceKind, ...EvidenceKind[]];

/** What a piece of evidence says; it never changes. */
export interface EvidenceContent {
  readonly aboutId: string;
  readonly kind: EvidenceKind;
  readonly url: string | null;
  readonly messageId: string | null;
  readonly fileId: string | null;
  readonly receiptId: string | null;
  readonly text: string | null;
  readonly sha256: string | null;
  readonly note: string | null;
}

type EvidenceRequest = { readonly kind: EvidenceKind } & {
  readonly [Member in Exclude<keyof EvidenceContent, 'aboutId' | 'kind'>]?: string | null;
};

/** Reads a piece of evidence. Errors: `invalid_request` when its reference is missing, of another kind, or no address. */
export function pieceOf(
  request: EvidenceRequest,
  pointer: string,
): Omit<EvidenceContent, 'aboutId'> {
  const {
    kind,
    url = null,
    messageId = null,
    fileId = null,
    receiptId = null,
    text = null,
    sha256 = null,
    note = null,
  } = request;
  const references = { url, messageId, fileId, receiptId, text };
  const wanted = referenceOf[kind];
  if (references[wanted] === null)
    throw invalid(`${pointer}/${wanted}`, `is required where kind is ${kind}`);
  const other = Object.values(referenceOf).find(
    (member) => member !== wanted && references[member] !== null,
  );
  if (other)
    throw invalid(
      `${pointer}/${other}`,
      `does not belong to kind ${kind}, whose reference is ${wanted}`,
    );
  const normal = url === null ? null : normalise('url', url);
  if (normal && 'fault' in normal) throw invalid(`${pointer}/url`, normal.fault);
  return { kind, ...references, sha256, note: note || null };
}

/** Something that is stored here and that not everyone may read. */
export interface Reference {
  readonly type: 'thread' | 'message' | 'file' | 'receipt';
  readonly id: string;
}

const reference = (type: Reference['type'], id: string | null): Reference[] =>
  id === null ? [] : [{ type, id }];

export const referencesOfProvenance = ({ threadId, messageId }: Provenance): Reference[] => [
  ...reference('thread', threadId),
  ...reference('message', messageId),
];

export const referencesOfPiece = ({
  messageId,
  fileId,
  receiptId,
}: Pick<EvidenceContent, 'messageId' | 'fileId' | 'receiptId'>): Reference[] => [
  ...reference('message', messageId),
  ...reference('file', fileId),
  ...reference('receipt', receiptId),
];

type Optional<T> = { readonly [Member in keyof T]?: T[Member] | undefined };

/** Provenance as it is kept. */
export const provenanceOf = ({
  source,
  note,
  threadId,
  messageId,
}: Pick<Provenance, 'source'> & Optional<Omit<Provenance, 'source'>>): Provenance => ({
  source,
  note: note || null,
  threadId: threadId ?? null,
  messageId: messageId ?? null,
});

type ProvenanceRequest = Parameters<typeof provenanceOf>[0];

interface Said extends Pick<InteractionContent, 'kind' | 'summary' | 'occurredAt'> {
  readonly context?: string | null;
  readonly visibility?: Visibility | null;
  readonly provenance: ProvenanceRequest;
}

/** What a new interaction says, but for its target and evidence. Nothing becomes public by omission. */
export const saidOf = ({ kind, summary, occurredAt, context, visibility, provenance }: Said) => ({
  ...{
    kind,
    summary,
    occurredAt,
    context: context ?? 'general',
    visibility: visibility ?? ('private' as const),
  },
  provenance: provenanceOf(provenance),
});

interface Changes {
  readonly summary?: string | null;
  readonly occurredAt?: string | null;
  readonly provenance?: ProvenanceRequest | null;
  readonly state?: 'withdrawn' | null;
}

/** What the next version says: what is left out stays. Errors: `invalid_request` when nothing is changed. */
export function revised(
  content: InteractionContent,
  { summary, occurredAt, provenance, state }: Changes,
): InteractionContent {
  if (summary == null && occurredAt == null && provenance == null && state == null)
    throw invalid('/body', 'must have a new summary, occurredAt, provenance or state');
  return {
    ...content,
    summary: summary ?? content.summary,
    occurredAt: occurredAt ?? content.occurredAt,
    provenance: provenance ? provenanceOf(provenance) : content.provenance,
  };
}

/** Errors: `forbidden`. The agent is known to be allowed to read it. */
export function assertAuthor(
  { authorId }: Pick<InteractionFacts, 'authorId'>,
  agentId: string,
): void {
  if (authorId !== agentId)
    throw fail(
      'forbidden',
      'Only its author may revise an interaction. If it is about you, submit evidence: POST /api/v1/interactions/{id}/evidence.',
    );
}

/** Errors: `forbidden`. The agent is known to be allowed to read it. */
export function assertMaySubmit(interaction: InteractionFacts, agentId: string): void {
  if (!isParty(interaction, agentId))
    throw fail(
      'forbidden',
      'Only its author and the agent that it is about may submit evidence. Record an interaction of your own.',
    );
}

/** Errors: `forbidden`. The agent is known to be allowed to read it. */
export function assertSubmitter(
  { submittedBy }: { readonly submittedBy: string },
  agentId: string,
): void {
  if (submittedBy !== agentId)
    throw fail(
      'forbidden',
      'Only who submitted it may withdraw a piece of evidence. Submit evidence of your own instead.',
    );
}

/** Errors: `limit_exceeded` with `limit`. `count`: what this agent submitted already. */
export function assertMayAdd(count: number): void {
  if (count >= MAX_EVIDENCE)
    throw fail(
      'limit_exceeded',
      `You submitted ${count} pieces of evidence to this interaction, at most ${MAX_EVIDENCE} are kept.`,
      { limit: MAX_EVIDENCE },
    );
}
