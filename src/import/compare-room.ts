import type { RecordByType } from '../features/export/schemas.ts';
import { assertKnown, type ImportContext } from './import-context.ts';
import type { RoomPlan } from './import-plan.ts';
import type { ImportTotals } from './import-report.ts';
import type { MessageFacts, Sequence } from './sequence.ts';
import { isPlannedSummary } from './summaries.ts';

/** Maps ids and handles of the service to the keys of the plan. */
function buildNameMaps({ state, messages }: ImportContext) {
  const authors = [...state.accounts];
  return {
    authorsById: new Map(authors.map(([author, { id }]) => [id, author])),
    authorsByHandle: new Map(authors.map(([author, { handle }]) => [handle, author])),
    threadsById: new Map([...state.threads].map(([thread, id]) => [id, thread])),
    statementsById: new Map([...messages].map(([statement, { id }]) => [id, statement])),
  };
}

/** The thread whose messages are being compared. */
interface CurrentThread {
  readonly id: string;
  readonly sequence: Sequence;
  next: number;
  /** Whether a difference was found, after which the rest cannot be compared. */
  lost: boolean;
}

/**
 * Creates functions that compare the records of a room's export with the plan. They must be called
 * in the order of the export: for the members, for each thread and its messages, and at the end.
 */
export function createComparer(
  work: ImportContext,
  totals: ImportTotals,
  sequences: Map<string, Sequence>,
  room: RoomPlan,
) {
  const { plan, state, report, progress } = work;
  const { authorsById, authorsByHandle, threadsById, statementsById } = buildNameMaps(work);
  const members = new Set<string>();
  const seen = new Set<string>();
  let current: CurrentThread | undefined;

  const toFacts = ({
    authorId,
    body,
    replyToId,
    files,
    mentions,
    request,
  }: RecordByType<'message'>): MessageFacts => ({
    author: authorsById.get(authorId) ?? '',
    body,
    replyTo: replyToId === null ? null : (statementsById.get(replyToId) ?? replyToId),
    files: files.map(
      ({ name, mediaType, size, sha256 }) => [name, mediaType, size, sha256] as const,
    ),
    // What was taken since is a request that nobody has answered, as the file says.
    request: request && [
      request.state === 'claimed' ? 'open' : request.state,
      request.answerId && (statementsById.get(request.answerId) ?? request.answerId),
    ],
    // The handle of an agent outside of the import cannot be an author of the file.
    mentions: mentions.map((handle) => authorsByHandle.get(handle) ?? `@${handle}`),
  });

  /** Reports messages that are missing at the end of a thread. */
  function closeThread(): void {
    if (!current || current.lost || current.next >= current.sequence.length) return;
    report.addFault(
      `line ${current.sequence.getLine(current.next)}: it is not on the service; the rest of ` +
        'the thread was not compared',
    );
  }

  function openThread(record: RecordByType<'thread'>): void {
    closeThread();
    const key = threadsById.get(record.id);
    const sequence = key === undefined ? undefined : sequences.get(key);
    current = undefined;
    // This thread belongs to other agents, who may have joined since the import.
    if (key === undefined || sequence === undefined) return;
    seen.add(key);
    const { title, kind, tags, visibility, summary } = assertKnown(plan.threads.get(key));
    const isEqual =
      record.title === title &&
      record.kind === kind &&
      String(record.tags) === String(tags) &&
      record.visibility === visibility &&
      (!plan.isComplete || isPlannedSummary(work, summary, record.summary));
    if (isEqual) totals.threads.service += 1;
    else report.addFault(`thread ${JSON.stringify(title)} on the service differs from the file`);
    current = { id: record.id, sequence, next: 0, lost: !isEqual };
  }

  function compareMessage(record: RecordByType<'message'>): void {
    if (!current || !authorsById.has(record.authorId)) return;
    totals.messages.service += 1;
    if (totals.files) totals.files.service += record.files.length;
    progress.add();
    if (current.lost) return;
    const { sequence, next, id } = current;
    const result = next < sequence.length ? sequence.compare(next, toFacts(record)) : 'different';
    current.next += 1;
    if (result === 'different') {
      current.lost = true;
      report.addFault(
        next < sequence.length
          ? `line ${sequence.getLine(next)}: the service has something else at position ` +
              `${record.position} of the thread ${id}; the rest of the thread was not compared`
          : `line ${sequence.getLine(next - 1)}: its thread ${id} continues at position ` +
              `${record.position} with something that is not in the file`,
      );
      return;
    }
    report.equal += 1;
    if (result === 'mentions') report.mentionDifferences += 1;
  }

  /** Reports threads and members that the export does not have. */
  function endRoom(): void {
    closeThread();
    for (const [key, thread] of plan.threads) {
      if (thread.room === room.room && sequences.has(key) && !seen.has(key))
        report.addFault(
          `thread ${JSON.stringify(thread.title)} on the service differs from the file`,
        );
    }
    for (const author of room.members) {
      if (!members.has(assertKnown(state.accounts.get(author)).id))
        report.addFault(
          `author ${JSON.stringify(author)} is not a member of the room ` +
            `${JSON.stringify(room.name)}`,
        );
    }
    for (const author of plan.isComplete ? room.guests : []) {
      if (members.has(assertKnown(state.accounts.get(author)).id))
        report.addFault(
          `author ${JSON.stringify(author)} is still a member of the room ` +
            `${JSON.stringify(room.name)}`,
        );
    }
  }

  return {
    member: ({ agentId }: RecordByType<'member'>) => void members.add(agentId),
    open: openThread,
    compare: compareMessage,
    end: endRoom,
  };
}
