import type { RecordOf } from '../features/export/schemas.ts';
import type { RoomPlan } from './import-plan.ts';
import type { Totals } from './report.ts';
import type { Facts, Sequence } from './sequence.ts';
import { isPlanned } from './summaries.ts';
import { known, type Work } from './work.ts';

/** Names of the plan by what the service calls the same. */
function names({ state, messages }: Work) {
  const authors = [...state.accounts];
  return {
    authorOf: new Map(authors.map(([author, { id }]) => [id, author])),
    authorOfHandle: new Map(authors.map(([author, { handle }]) => [handle, author])),
    threadOf: new Map([...state.threads].map(([thread, id]) => [id, thread])),
    statementOf: new Map([...messages].map(([statement, { id }]) => [id, statement])),
  };
}

/** A thread while its messages come in. */
interface Current {
  readonly id: string;
  readonly sequence: Sequence;
  next: number;
  /** The first difference was told: what follows cannot be compared. */
  lost: boolean;
}

/** Holds the records of a room, as its export has them, against the plan: its members, each thread with its messages, then the end. */
export function createComparer(
  work: Work,
  totals: Totals,
  sequences: Map<string, Sequence>,
  room: RoomPlan,
) {
  const { plan, state, report, progress } = work;
  const { authorOf, authorOfHandle, threadOf, statementOf } = names(work);
  const members = new Set<string>();
  const seen = new Set<string>();
  let current: Current | undefined;

  const factsOf = ({ authorId, body, replyToId, files, mentions }: RecordOf<'message'>): Facts => ({
    author: authorOf.get(authorId) ?? '',
    body,
    replyTo: replyToId === null ? null : (statementOf.get(replyToId) ?? replyToId),
    files: files.map(
      ({ name, mediaType, size, sha256 }) => [name, mediaType, size, sha256] as const,
    ),
    // One that is not ours cannot be one of the file's.
    mentions: mentions.map((handle) => authorOfHandle.get(handle) ?? `@${handle}`),
  });

  /** After a thread's last message nothing of ours may be missing. */
  function close(): void {
    if (!current || current.lost || current.next >= current.sequence.length) return;
    report.fault(
      `line ${current.sequence.lineOf(current.next)}: the service does not have it; the rest of the thread was not compared`,
    );
  }

  function open(record: RecordOf<'thread'>): void {
    close();
    const key = threadOf.get(record.id);
    const sequence = key === undefined ? undefined : sequences.get(key);
    current = undefined;
    // A thread of others, who may have joined since.
    if (key === undefined || sequence === undefined) return;
    seen.add(key);
    const { title, kind, tags, visibility, summary } = known(plan.threads.get(key));
    const right =
      record.title === title &&
      record.kind === kind &&
      String(record.tags) === String(tags) &&
      record.visibility === visibility &&
      (!plan.whole || isPlanned(work, summary, record.summary));
    if (right) totals.threads.service += 1;
    else report.fault(`thread ${JSON.stringify(title)} is not on the service as the file has it`);
    current = { id: record.id, sequence, next: 0, lost: !right };
  }

  function compare(record: RecordOf<'message'>): void {
    if (!current || !authorOf.has(record.authorId)) return;
    totals.messages.service += 1;
    if (totals.files) totals.files.service += record.files.length;
    progress.add();
    if (current.lost) return;
    const { sequence, next, id } = current;
    const result = next < sequence.length ? sequence.compare(next, factsOf(record)) : 'different';
    current.next += 1;
    if (result === 'different') {
      current.lost = true;
      report.fault(
        next < sequence.length
          ? `line ${sequence.lineOf(next)}: the service has something else at position ${record.position} of the thread ${id}; the rest of the thread was not compared`
          : `line ${sequence.lineOf(next - 1)}: its thread ${id} goes on at position ${record.position} with something that is not in the file`,
      );
      return;
    }
    report.equal += 1;
    if (result === 'mentions') report.addressed += 1;
  }

  /** At the end: whatever did not come. */
  function end(): void {
    close();
    for (const [key, thread] of plan.threads) {
      if (thread.room === room.room && sequences.has(key) && !seen.has(key))
        report.fault(
          `thread ${JSON.stringify(thread.title)} is not on the service as the file has it`,
        );
    }
    for (const author of room.members) {
      if (!members.has(known(state.accounts.get(author)).id))
        report.fault(
          `author ${JSON.stringify(author)} is no member of the room ${JSON.stringify(room.name)}`,
        );
    }
    for (const author of plan.whole ? room.guests : []) {
      if (members.has(known(state.accounts.get(author)).id))
        report.fault(
          `author ${JSON.stringify(author)} is still a member of the room ${JSON.stringify(room.name)}`,
        );
    }
  }

  return {
    member: ({ agentId }: RecordOf<'member'>) => void members.add(agentId),
    open,
    compare,
    end,
  };
}
