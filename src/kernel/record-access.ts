import { type Sql, sql } from '../db/sql.ts';
import { failNotFound, type Role, type Visibility } from './access.ts';
import { type Feature, failCapabilityDisabled } from './scopes.ts';

/** Says who may see which receipts, interactions, subjects, offers and cases (see `access.ts`). */

/**
 * Whether the receipt of an act may be read. Anyone may read a public receipt, even after its
 * subject was deleted. A private receipt may be read by whoever has a role in the subject's room
 * now.
 */
export const mayReadReceipt = ({
  visibility,
  role,
}: {
  readonly visibility: Visibility;
  readonly role: Role | null;
}): boolean => visibility === 'public' || role !== null;

/**
 * The facts that decide about an interaction and all of its parts. The subject of an agent has
 * the agent's own id.
 */
export interface InteractionFacts {
  readonly visibility: Visibility;
  readonly authorId: string;
  readonly subjectId: string;
}

/**
 * Whether the reader is the author of the interaction or the agent that it is about. Only these
 * two read a private interaction.
 */
export const isParty = (
  { authorId, subjectId }: InteractionFacts,
  reader: string | null,
): boolean => reader === authorId || reader === subjectId;

/** Tells whether an interaction may be read: a private one by its parties only. */
export const mayReadInteraction = (interaction: InteractionFacts, reader: string | null): boolean =>
  interaction.visibility === 'public' || isParty(interaction, reader);

/**
 * The scopes of which a key needs one to read, for its agent, a case that is not public: those of
 * whoever opens cases and judges them, and of the work that such a case is about.
 */
export const CASE_SCOPES = ['adjudication', 'reviewer', 'credits'] as const;

/** The capability to which the subjects of cases belong, by the kind of the subject. */
const caseFeatures = {
  interaction: 'interactions',
  task_submission: 'tasks',
} as const satisfies Readonly<Record<string, Feature>>;
export type CaseSubjectKind = keyof typeof caseFeatures;

/** Lists the kinds of subjects that are switched on. Cases about others are shown nowhere. */
export const listShownSubjects = (features: Readonly<Record<Feature, boolean>>) =>
  (Object.keys(caseFeatures) as CaseSubjectKind[]).filter((kind) => features[caseFeatures[kind]]);

/**
 * Asserts that what cases about this kind of subject are about is switched on. The caller has
 * checked that the reader may read the case. Errors: `capability_disabled`.
 */
export function assertSubjectIsOn(
  kind: CaseSubjectKind,
  features: Readonly<Record<Feature, boolean>>,
): void {
  const feature = caseFeatures[kind];
  if (!features[feature]) throw failCapabilityDisabled(feature);
}

/** Whether a case of alias `k` (adjudication_cases) is about one of these kinds of subjects. */
export const isCaseAbout = (kinds: readonly CaseSubjectKind[]): Sql =>
  kinds.length === Object.keys(caseFeatures).length
    ? sql`true`
    : sql`k.subject_kind = ANY(${kinds}::text[])`;

/** The scopes of which a key needs one to read, for its agent, a subject that is not public. */
export const SUBJECT_SCOPES = ['interactions', 'credentials'] as const;

/**
 * The facts that decide about a case. A private case is read by its parties and by those for whom
 * the disputed work was made (`readers`).
 */
export interface CaseFacts {
  readonly visibility: Visibility;
  readonly parties: readonly string[];
  readonly readers: readonly string[];
}

/** Tells whether a case may be read. */
export const mayReadCase = (
  { visibility, parties, readers }: CaseFacts,
  reader: string | null,
): boolean =>
  visibility === 'public' ||
  (reader !== null && (parties.includes(reader) || readers.includes(reader)));

/**
 * The facts that decide about an offer: the sender, and the recipient who confirmed it or had
 * confirmed it when it ended.
 */
export interface OfferFacts {
  readonly senderId: string;
  readonly recipientId: string | null;
}

/**
 * Returns the party that an agent is to an offer, or null for anyone else. Only the two parties may
 * know of the offer.
 */
export function findParty(
  { senderId, recipientId }: OfferFacts,
  reader: string,
): 'sender' | 'recipient' | null {
  if (reader === senderId) return 'sender';
  return reader === recipientId ? 'recipient' : null;
}

/** Narrows an interaction that may be read, or a part of it (`what`). Errors: `not_found`. */
export function assertMayReadInteraction<T extends InteractionFacts>(
  found: T | undefined,
  reader: string | null,
  what = 'interaction',
): asserts found is T {
  if (!found || !mayReadInteraction(found, reader)) throw failNotFound(what);
}

/** Narrows a case that may be read. Errors: `not_found`. */
export function assertMayReadCase<T extends CaseFacts>(
  found: T | undefined,
  reader: string | null,
): asserts found is T {
  if (!found || !mayReadCase(found, reader)) throw failNotFound('case');
}

/** `mayReadInteraction` over alias `i` (interactions). */
export const readableInteraction = (reader: string | null): Sql =>
  sql`
    (
      i.visibility = 'public'
        OR coalesce(i.author_id = ${reader}::uuid OR i.subject_id = ${reader}::uuid, false)
    )
  `;

/**
 * Whether a subject of alias `s` (subjects) may be known. Anyone may know it once something public
 * was recorded about it; before that, only whoever recorded something about it.
 */
export const readableSubject = (reader: string | null): Sql =>
  sql`
    (
      s.public
        OR EXISTS (
          SELECT 1
          FROM interactions i
          WHERE i.subject_id = s.id AND i.author_id = ${reader}::uuid
        )
    )
  `;

/** Whether `findParty` is not null, over alias `o` (offers). */
export const readableOffer = (reader: string | null): Sql =>
  sql`coalesce(o.sender_id = ${reader}::uuid OR o.recipient_id = ${reader}::uuid, false)`;

/** `mayReadCase` over alias `k` (adjudication_cases). */
export const readableCase = (reader: string | null): Sql =>
  sql`(k.visibility = 'public' OR coalesce(${reader}::uuid = ANY(k.parties || k.readers), false))`;
