import type { RecordOf } from '../features/export/schemas.ts';
import { exportRecords } from './export-records.ts';
import { ImportError } from './import-error.ts';
import { inParallel } from './lanes.ts';
import type { RoomPlan, Statement } from './plan.ts';
import type { Totals } from './report.ts';
import { type Facts, Sequence } from './sequence.ts';
import { isForbidden, reasonOf } from './service.ts';
import { isPlanned } from './summaries.ts';
import { asOwner, known, type Work } from './work.ts';

/** Runs a check; a no of the service is a fault like any other. */
async function check(work: Work, what: string, run: () => Promise<boolean>): Promise<boolean> {
  try {
    const right = await run();
    if (!right) work.report.fault(`${what} is not on the service as the file has it`);
    return right;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const { code, detail } = reasonOf(error);
    work.report.fault(`${what} cannot be read back (${code}): ${detail}`);
    return false;
  }
}

/** Reads the authors back. */
async function compareAuthors(work: Work, totals: Totals): Promise<void> {
  const { plan, state, service, width } = work;
  await inParallel(plan.authors, width, async ([author, { displayName }]) => {
    const { id, handle } = known(state.accounts.get(author));
    const right = await check(work, `author ${JSON.stringify(author)}`, async () => {
      const agent = await service.stranger.getAgent({ params: { handle } });
      return agent.id === id && (displayName === undefined || agent.displayName === displayName);
    });
    if (right) totals.authors.service += 1;
  });
}

/** What the threads must have, by their keys. */
async function expected(work: Work): Promise<Map<string, Sequence>> {
  const { state, messages } = work;
  const sequences = new Map<string, Sequence>();
  const factsOf = ({ author, body, replyTo, mentions, files }: Statement): Facts => ({
    author,
    body,
    mentions,
    replyTo: replyTo !== null && messages.has(replyTo) ? replyTo : null,
    files: files.flatMap(({ line, name, mediaType, size, sha256, content }) =>
      content === null || state.refused.has(line) ? [] : [[name, mediaType, size, sha256] as const],
    ),
  });
  for await (const statement of work.format.statements(work.file)) {
    if (state.refused.has(statement.line)) continue;
    const sequence = sequences.get(statement.thread) ?? new Sequence();
    sequence.push(statement.line, factsOf(statement));
    sequences.set(statement.thread, sequence);
  }
  return sequences;
}

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

/** Holds the records of a room, as its export has them, against the plan. */
function createComparer(work: Work, totals: Totals, sequences: Map<string, Sequence>, room: RoomPlan) {
  const { plan, state, report, progress } = work;
  const { authorOf, authorOfHandle, threadOf, statementOf } = names(work);
  const members = new Set<string>();
  const seen = new Set<string>();
  let current: Current | undefined;

  const factsOf = ({ authorId, body, replyToId, files, mentions }: RecordOf<'message'>): Facts => ({
    author: authorOf.get(authorId) ?? '',
    body,
    replyTo: replyToId === null ? null : (statementOf.get(replyToId) ?? replyToId),
    files: files.map(({ name, mediaType, size, sha256 }) => [name, mediaType, size, sha256] as const),
    // One that is not ours cannot be one of the file's.
    mentions: mentions.map((handle) => authorOfHandle.get(handle) ?? `@${handle}`),
  });

  /** After a thread's last message nothing of ours may be missing. */
  function close(): void {
    if (!current || current.lost || current.next >= current.sequence.length) return;
    report.fault(`line ${current.sequence.lineOf(current.next)}: the service does not have it; the rest of the thread was not compared`);
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
        report.fault(`thread ${JSON.stringify(thread.title)} is not on the service as the file has it`);
    }
    for (const author of room.members) {
      if (!members.has(known(state.accounts.get(author)).id))
        report.fault(`author ${JSON.stringify(author)} is no member of the room ${JSON.stringify(room.name)}`);
    }
    for (const author of plan.whole ? room.guests : []) {
      if (members.has(known(state.accounts.get(author)).id))
        report.fault(`author ${JSON.stringify(author)} is still a member of the room ${JSON.stringify(room.name)}`);
    }
  }

  return { member: ({ agentId }: RecordOf<'member'>) => void members.add(agentId), open, compare, end };
}

/** Reads a room back, as its owner's export has it. */
async function compareRoom(work: Work, totals: Totals, sequences: Map<string, Sequence>, plan: RoomPlan): Promise<void> {
  const { name, description, visibility } = plan;
  const comparer = createComparer(work, totals, sequences, plan);
  const right = await check(work, `room ${JSON.stringify(plan.said)}`, async () => {
    const id = known(work.state.rooms.get(plan.room));
    const { body } = await asOwner(work, plan.room).exportRoom({ params: { id } });
    if (!body) throw new ImportError(`The service has exported nothing of the room ${id}. Run the same command again to compare.`);
    const faultAt = (line: number, fault: string) =>
      new ImportError(`The service's export of the room ${id} is not whole (line ${line} ${fault}). Run the same command again to compare.`);
    let same = false;
    for await (const { record } of exportRecords(body, faultAt)) {
      if (record.type === 'room') same = record.name === name && record.description === description && record.visibility === visibility;
      else if (record.type === 'member') comparer.member(record);
      else if (record.type === 'thread') comparer.open(record);
      else if (record.type === 'message') comparer.compare(record);
    }
    comparer.end();
    return same;
  });
  if (right) totals.rooms.service += 1;
}

/** Reads everything back and compares it. */
export async function compareAll(work: Work, totals: Totals): Promise<void> {
  const { plan, progress } = work;
  progress.begin('read back', plan.statements);
  await compareAuthors(work, totals);
  const sequences = await expected(work);
  // One room after the other: an agent may read a few exports at once only, and each is fast.
  for (const room of plan.rooms.values()) await compareRoom(work, totals, sequences, room);
  progress.end();
}
