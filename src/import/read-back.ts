import { createComparer } from './compare-room.ts';
import { readExportRecords } from './export-records.ts';
import { assertKnown, getOwnerClient, type ImportContext } from './import-context.ts';
import { ImportError } from './import-error.ts';
import type { RoomPlan, Statement } from './import-plan.ts';
import type { ImportTotals } from './import-report.ts';
import { listExpected } from './import-requests.ts';
import { reportFault } from './import-service.ts';
import { runParallel } from './keyed-queue.ts';
import { type MessageFacts, Sequence } from './sequence.ts';

/** Runs a check and reports a fault when it fails. Returns whether it succeeded. */
async function runCheck(
  { report }: ImportContext,
  what: string,
  run: () => Promise<boolean>,
): Promise<boolean> {
  let isEqual = false;
  const answered = await reportFault(report, `${what} cannot be read back`, async () => {
    isEqual = await run();
  });
  if (answered && !isEqual) report.addFault(`${what} on the service differs from the file`);
  return isEqual;
}

/** Reads the authors from the service and compares them. */
async function compareAuthors(work: ImportContext, totals: ImportTotals): Promise<void> {
  const { plan, state, service, width } = work;
  await runParallel(plan.authors, width, async ([author, { displayName }]) => {
    const { id, handle } = assertKnown(state.accounts.get(author));
    const isEqual = await runCheck(work, `author ${JSON.stringify(author)}`, async () => {
      const agent = await service.anonymous.getAgent({ params: { handle } });
      return agent.id === id && (displayName === undefined || agent.displayName === displayName);
    });
    if (isEqual) totals.authors.service += 1;
  });
}

/** Builds the expected messages of the threads, by the threads' keys. */
async function buildSequences(work: ImportContext): Promise<Map<string, Sequence>> {
  const { state, messages } = work;
  const sequences = new Map<string, Sequence>();
  const toFacts = ({
    author,
    body,
    replyTo,
    mentions,
    files,
    request,
  }: Statement): MessageFacts => ({
    author,
    body,
    mentions,
    replyTo: replyTo !== null && messages.has(replyTo) ? replyTo : null,
    request: request && listExpected(request, messages),
    files: files.flatMap(({ line, name, mediaType, size, sha256, hasContent }) =>
      hasContent && !state.refused.has(line) ? [[name, mediaType, size, sha256] as const] : [],
    ),
  });
  for await (const statement of work.format.statements(work.file)) {
    if (state.refused.has(statement.line)) continue;
    const sequence = sequences.get(statement.thread) ?? new Sequence();
    sequence.push(statement.line, toFacts(statement));
    sequences.set(statement.thread, sequence);
  }
  return sequences;
}

/** Reads a room from the service, by its owner's export, and compares it. */
async function compareRoom(
  work: ImportContext,
  totals: ImportTotals,
  sequences: Map<string, Sequence>,
  plan: RoomPlan,
): Promise<void> {
  const { name, description, visibility } = plan;
  const comparer = createComparer(work, totals, sequences, plan);
  const isEqual = await runCheck(work, `room ${JSON.stringify(plan.originalName)}`, async () => {
    const id = assertKnown(work.state.rooms.get(plan.room));
    const { body } = await getOwnerClient(work, plan.room).exportRoom({ params: { id } });
    if (!body)
      throw new ImportError(
        `The service exported nothing of the room ${id}. Run the same command again to compare.`,
      );
    const buildLineError = (line: number, fault: string) =>
      new ImportError(
        `The service's export of the room ${id} is incomplete (line ${line} ${fault}). Run the ` +
          'same command again to compare.',
      );
    let same = false;
    for await (const { record } of readExportRecords(body, buildLineError)) {
      if (record.type === 'room')
        same =
          record.name === name &&
          record.description === description &&
          record.visibility === visibility;
      else if (record.type === 'member') comparer.member(record);
      else if (record.type === 'thread') comparer.open(record);
      else if (record.type === 'message') comparer.compare(record);
    }
    comparer.end();
    return same;
  });
  if (isEqual) totals.rooms.service += 1;
}

/** Reads everything from the service and compares it with the file. */
export async function compareAll(work: ImportContext, totals: ImportTotals): Promise<void> {
  const { plan, progress } = work;
  progress.begin('read back', plan.statements);
  await compareAuthors(work, totals);
  const sequences = await buildSequences(work);
  // Rooms come one after the other, because an agent may read only a few exports at once.
  for (const room of plan.rooms.values()) await compareRoom(work, totals, sequences, room);
  progress.end();
}
