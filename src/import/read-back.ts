import { createComparer } from './compare-room.ts';
import { exportRecords } from './export-records.ts';
import { ImportError } from './import-error.ts';
import { inParallel } from './lanes.ts';
import type { RoomPlan, Statement } from './import-plan.ts';
import type { Totals } from './report.ts';
import { type Facts, Sequence } from './sequence.ts';
import { orFault } from './import-service.ts';
import { asOwner, known, type Work } from './work.ts';

/** Runs a check. */
async function check(
  { report }: Work,
  what: string,
  run: () => Promise<boolean>,
): Promise<boolean> {
  let right = false;
  const answered = await orFault(report, `${what} cannot be read back`, async () => {
    right = await run();
  });
  if (answered && !right) report.fault(`${what} is not on the service as the file has it`);
  return right;
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

/** Reads a room back, as its owner's export has it. */
async function compareRoom(
  work: Work,
  totals: Totals,
  sequences: Map<string, Sequence>,
  plan: RoomPlan,
): Promise<void> {
  const { name, description, visibility } = plan;
  const comparer = createComparer(work, totals, sequences, plan);
  const right = await check(work, `room ${JSON.stringify(plan.said)}`, async () => {
    const id = known(work.state.rooms.get(plan.room));
    const { body } = await asOwner(work, plan.room).exportRoom({ params: { id } });
    if (!body)
      throw new ImportError(
        `The service has exported nothing of the room ${id}. Run the same command again to compare.`,
      );
    const faultAt = (line: number, fault: string) =>
      new ImportError(
        `The service's export of the room ${id} is not whole (line ${line} ${fault}). Run the same command again to compare.`,
      );
    let same = false;
    for await (const { record } of exportRecords(body, faultAt)) {
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
