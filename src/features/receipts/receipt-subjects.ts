import type { Queryable } from '../../db/database.ts';
import type { Role } from '../../kernel/access.ts';
import type { ReceiptSubjectType } from '../../kernel/receipt-kinds.ts';
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
}

type SubjectLoader = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) => Promise<readonly ReceiptSubject[]>;

/** Creates a loader from a store function and the rule for its rows. */
const createLoader =
  <Row extends { readonly id: string; readonly role: Role | null }>(
    list: (db: Queryable, ids: readonly string[], reader: string | null) => Promise<readonly Row[]>,
    toStatus: (row: Row) => SubjectStatus,
  ): SubjectLoader =>
  async (db, ids, reader) =>
    (await list(db, ids, reader)).map((row) => ({
      id: row.id,
      role: row.role,
      ...toStatus(row),
    }));

/** Creates a loader for a type whose subjects come from two stores. */
const mergeLoaders =
  (one: SubjectLoader, other: SubjectLoader): SubjectLoader =>
  async (...query) =>
    (await Promise.all([one(...query), other(...query)])).flat();

/** The loaders by subject type. A new subject type needs one entry. */
const loaders: Partial<Record<ReceiptSubjectType, SubjectLoader>> = {
  thread: createLoader(threads.listSubjects, toThreadStatus),
  message: createLoader(messages.listSubjects, toMessageStatus),
  file: createLoader(files.listSubjects, toFileStatus),
  interaction: createLoader(interactions.listInteractionSubjects, toInteractionStatus),
  evidence: mergeLoaders(
    createLoader(interactions.listEvidenceSubjects, toEvidenceStatus),
    createLoader(tasks.listEvidenceSubjects, toWorkEvidenceStatus),
  ),
  identity_claim: createLoader(claims.listSubjects, toClaimStatus),
  campaign: createLoader(campaigns.listSubjects, toCampaignStatus),
  enrollment: createLoader(credits.listSubjects, getEnrollmentStatus),
  case: createLoader(cases.listCaseSubjects, toCaseStatus),
  ballot: createLoader(cases.listBallotSubjects, toBallotStatus),
  offer: createLoader(offers.listSubjects, toOfferStatus),
  task: createLoader(tasks.listSubjects, toTaskStatus),
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
