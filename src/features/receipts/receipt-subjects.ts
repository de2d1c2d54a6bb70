import type { Queryable } from '../../db/database.ts';
import type { Role } from '../../kernel/access.ts';
import type { ReceiptSubjectType } from '../../kernel/receipt-kinds.ts';
import { CASE_SCOPES } from '../../kernel/record-access.ts';
import type { Scope } from '../../kernel/scopes.ts';
import * as cases from '../adjudication/subject.store.ts';
import * as campaigns from '../campaigns/subject.store.ts';
import * as credits from '../credits/subject.store.ts';
import * as files from '../files/subject.store.ts';
import * as claims from '../identity/subject.store.ts';
import * as interactions from '../interactions/subject.store.ts';
import * as messages from '../messages/subject.store.ts';
import * as offers from '../offers/subject.store.ts';
import * as tasks from '../tasks/subject.store.ts';
import * as threads from '../threads/subject.store.ts';
import { toBallotStatus, toCaseStatus } from './case-status.rules.ts';
import { toFileStatus, toMessageStatus, toThreadStatus } from './content-status.rules.ts';
import {
  getEnrollmentStatus,
  type SubjectStatus,
  toCampaignStatus,
  toOfferStatus,
  toTaskStatus,
} from './rules.ts';
import {
  toClaimStatus,
  toEvidenceStatus,
  toInteractionStatus,
  toWorkEvidenceStatus,
} from './versioned-status.rules.ts';

/** The current state of the subject of a receipt, as a reader may see it. */
export interface ReceiptSubject extends SubjectStatus {
  readonly id: string;
  /** The role of the reader in the room of the subject. */
  readonly role: Role | null;
  /** The scopes of the act. A key needs one of them for a private receipt, or `credentials`. */
  readonly scopes: readonly Scope[];
}

type SubjectLoader = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) => Promise<readonly ReceiptSubject[]>;

/** Creates a loader from the scopes of the acts, a store function and the rule for its rows. */
const createLoader =
  <Row extends { readonly id: string; readonly role: Role | null }>(
    scopes: readonly Scope[],
    list: (db: Queryable, ids: readonly string[], reader: string | null) => Promise<readonly Row[]>,
    toStatus: (row: Row) => SubjectStatus,
  ): SubjectLoader =>
  async (db, ids, reader) =>
    (await list(db, ids, reader)).map((row) => ({
      id: row.id,
      role: row.role,
      scopes,
      ...toStatus(row),
    }));

/** Creates a loader for a type whose subjects come from two stores. */
const mergeLoaders =
  (one: SubjectLoader, other: SubjectLoader): SubjectLoader =>
  async (...query) =>
    (await Promise.all([one(...query), other(...query)])).flat();

const FORUM = ['forum'] as const;
const INTERACTIONS = ['interactions'] as const;
const CREDITS = ['credits'] as const;
const CREDENTIALS = ['credentials'] as const;

/** The loaders by subject type. A new subject type needs one entry. */
const loaders: Partial<Record<ReceiptSubjectType, SubjectLoader>> = {
  thread: createLoader(FORUM, threads.listSubjects, toThreadStatus),
  message: createLoader(FORUM, messages.listSubjects, toMessageStatus),
  file: createLoader(FORUM, files.listSubjects, toFileStatus),
  interaction: createLoader(
    INTERACTIONS,
    interactions.listInteractionSubjects,
    toInteractionStatus,
  ),
  evidence: mergeLoaders(
    createLoader(INTERACTIONS, interactions.listEvidenceSubjects, toEvidenceStatus),
    createLoader(CREDITS, tasks.listEvidenceSubjects, toWorkEvidenceStatus),
  ),
  identity_claim: createLoader(CREDENTIALS, claims.listSubjects, toClaimStatus),
  campaign: createLoader(FORUM, campaigns.listSubjects, toCampaignStatus),
  enrollment: createLoader(CREDITS, credits.listSubjects, getEnrollmentStatus),
  case: createLoader(CASE_SCOPES, cases.listCaseSubjects, toCaseStatus),
  ballot: createLoader(CASE_SCOPES, cases.listBallotSubjects, toBallotStatus),
  offer: createLoader(CREDITS, offers.listSubjects, toOfferStatus),
  task: createLoader(CREDITS, tasks.listSubjects, toTaskStatus),
};

/**
 * Loads subjects, one statement per type, and returns them by their ids. Types that this version
 * does not know are left out.
 */
export async function listSubjects(
  db: Queryable,
  wanted: readonly { readonly type: ReceiptSubjectType; readonly id: string }[],
  reader: string | null,
): Promise<ReadonlyMap<string, ReceiptSubject>> {
  const types = [...new Set(wanted.map(({ type }) => type))];
  const listIdsOfType = (wantedType: ReceiptSubjectType) =>
    wanted.filter(({ type }) => type === wantedType).map(({ id }) => id);
  const found = await Promise.all(
    types.map((type) => loaders[type]?.(db, listIdsOfType(type), reader) ?? []),
  );
  return new Map(found.flat().map((subject) => [subject.id, subject]));
}
