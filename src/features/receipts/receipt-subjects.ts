import type { Queryable } from '../../db/database.ts';
import type { Role } from '../../kernel/access.ts';
import type { SubjectType } from '../../kernel/receipt-kinds.ts';
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
import {
  type Standing,
  standingOfBallot,
  standingOfCampaign,
  standingOfCase,
  standingOfClaim,
  standingOfEnrollment,
  standingOfEvidence,
  standingOfFile,
  standingOfInteraction,
  standingOfMessage,
  standingOfOffer,
  standingOfTask,
  standingOfThread,
  standingOfWorkEvidence,
} from './rules.ts';

/** What an act was about, as it is now. */
export interface Subject extends Standing {
  readonly id: string;
  /** The reader's, in the room of it. */
  readonly role: Role | null;
}

type Load = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) => Promise<readonly Subject[]>;

/** Loads what acts were about and says how it stands. */
const load =
  <Row extends { readonly id: string; readonly role: Role | null }>(
    list: (db: Queryable, ids: readonly string[], reader: string | null) => Promise<readonly Row[]>,
    standingOf: (row: Row) => Standing,
  ): Load =>
  async (db, ids, reader) =>
    (await list(db, ids, reader)).map((row) => ({
      id: row.id,
      role: row.role,
      ...standingOf(row),
    }));

/** What is found in one of two places. */
const either =
  (one: Load, other: Load): Load =>
  async (...asked) =>
    (await Promise.all([one(...asked), other(...asked)])).flat();

/** By the type of subject: a new kind of act is told of by one entry. */
const loads: Partial<Record<SubjectType, Load>> = {
  thread: load(threads.listSubjects, standingOfThread),
  message: load(messages.listSubjects, standingOfMessage),
  file: load(files.listSubjects, standingOfFile),
  interaction: load(interactions.listInteractionSubjects, standingOfInteraction),
  evidence: either(
    load(interactions.listEvidenceSubjects, standingOfEvidence),
    load(tasks.listEvidenceSubjects, standingOfWorkEvidence),
  ),
  identity_claim: load(claims.listSubjects, standingOfClaim),
  campaign: load(campaigns.listSubjects, standingOfCampaign),
  enrollment: load(credits.listSubjects, standingOfEnrollment),
  case: load(cases.listCaseSubjects, standingOfCase),
  ballot: load(cases.listBallotSubjects, standingOfBallot),
  offer: load(offers.listSubjects, standingOfOffer),
  task: load(tasks.listSubjects, standingOfTask),
};

/** Subjects by their ids, each type in one statement. What is not known to this version is not there. */
export async function listSubjects(
  db: Queryable,
  wanted: readonly { readonly type: SubjectType; readonly id: string }[],
  reader: string | null,
): Promise<ReadonlyMap<string, Subject>> {
  const types = [...new Set(wanted.map(({ type }) => type))];
  const ids = (of: SubjectType) => wanted.filter(({ type }) => type === of).map(({ id }) => id);
  const found = await Promise.all(types.map((type) => loads[type]?.(db, ids(type), reader) ?? []));
  return new Map(found.flat().map((subject) => [subject.id, subject]));
}
