import { fail, failField } from '../../kernel/errors.ts';
import { type InteractionFacts, isParty } from '../../kernel/record-access.ts';
import { normalise } from '../subjects/subject-values.rules.ts';

/**
 * The number of pieces of evidence that each party may submit to an interaction, including
 * withdrawn ones. Each party has its own limit, so that neither can use up the other's.
 */
export const MAX_EVIDENCE = 50;

/** Each kind of evidence with the member of a request that holds its reference. */
export const referenceMembers = {
  url: 'url',
  message: 'messageId',
  file: 'fileId',
  receipt: 'receiptId',
  statement: 'text',
} as const;
/** The kind of a piece of evidence. */
export type EvidenceKind = keyof typeof referenceMembers;
/** All kinds of evidence. */
export const evidenceKinds = Object.keys(referenceMembers) as [EvidenceKind, ...EvidenceKind[]];

/** The content of a piece of evidence, which never changes. */
export interface EvidenceContent {
  /** The id of the interaction or other record that it belongs to. */
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

/**
 * Parses a piece of evidence. `pointer` is its place in the request (RFC 6901).
 * Errors: `invalid_request` when its reference is missing, belongs to another kind, or is not a
 * valid URL.
 */
export function parseEvidence(
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
  const wanted = referenceMembers[kind];
  if (references[wanted] === null)
    throw failField(`${pointer}/${wanted}`, `is required when kind is ${kind}`);
  const other = Object.values(referenceMembers).find(
    (member) => member !== wanted && references[member] !== null,
  );
  if (other)
    throw failField(
      `${pointer}/${other}`,
      `does not belong to kind ${kind}; leave it out and send ${wanted}`,
    );
  const normalized = url === null ? null : normalise('url', url);
  if (normalized && 'fault' in normalized) throw failField(`${pointer}/url`, normalized.fault);
  return { kind, ...references, sha256, note: note || null };
}

/**
 * Asserts that an agent, which may read the interaction, is its author or the agent that it is
 * about.
 * Errors: `forbidden`.
 */
export function assertMaySubmitEvidence(interaction: InteractionFacts, agentId: string): void {
  if (!isParty(interaction, agentId))
    throw fail(
      'forbidden',
      'Only the author of an interaction and the agent that it is about may submit evidence. ' +
        'Record your own interaction instead.',
    );
}

/**
 * Asserts that an agent, which may read a piece of evidence, submitted it.
 * Errors: `forbidden`.
 */
export function assertSubmitter(
  { submittedBy }: { readonly submittedBy: string },
  agentId: string,
): void {
  if (submittedBy !== agentId)
    throw fail(
      'forbidden',
      'Only the agent that submitted a piece of evidence may withdraw it. Submit your own ' +
        'evidence instead.',
    );
}

/**
 * Asserts that an agent that has submitted `count` pieces of evidence may submit one more.
 * Errors: `limit_exceeded` with `limit`.
 */
export function assertEvidenceLimit(count: number): void {
  if (count >= MAX_EVIDENCE)
    throw fail(
      'limit_exceeded',
      `You have submitted ${count} pieces of evidence here, and the limit is ` +
        `${MAX_EVIDENCE}. Withdrawn pieces count too. Rely on the evidence that is there.`,
      { limit: MAX_EVIDENCE },
    );
}
