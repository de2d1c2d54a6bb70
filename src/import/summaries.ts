import {
  assertKnown,
  getAuthorClient,
  getOwnerClient,
  type ImportContext,
} from './import-context.ts';
import type { SummaryPlan } from './import-plan.ts';
import { type ImportedThread, reportFault } from './import-service.ts';
import { runParallel } from './keyed-queue.ts';

/** Lists the ids of the messages that a summary refers to, as far as they are on the service. */
const listMessageIds = ({ messages }: ImportContext, { statements }: SummaryPlan): string[] =>
  statements.flatMap((id) => messages.get(id)?.id ?? []);

/** Whether a thread's summary is the planned one. */
export function isPlannedSummary(
  work: ImportContext,
  planned: SummaryPlan | null,
  summary: ImportedThread['summary'],
): boolean {
  if (planned === null || summary === null) return planned === summary;
  const { handle } = assertKnown(work.state.accounts.get(planned.author));
  return (
    summary.text === planned.text &&
    summary.authorHandle === handle &&
    String(summary.messageIds) === String(listMessageIds(work, planned))
  );
}

/** Makes sure that every thread has its summary. */
export async function setSummaries(work: ImportContext): Promise<void> {
  const { plan, state, report, progress, width } = work;
  const threads = [...plan.threads].flatMap(([key, { room, line, summary }]) =>
    summary && state.threads.has(key) ? [{ key, room, line, summary }] : [],
  );
  if (threads.length === 0) return;
  progress.begin('summaries', threads.length);
  await runParallel(threads, width, async ({ key, room, line, summary }) => {
    const params = { id: assertKnown(state.threads.get(key)) };
    const { summary: existing } = await getOwnerClient(work, room).getThread({ params });
    await reportFault(
      report,
      `line ${line}: the service does not accept the summary of the thread`,
      async () => {
        const body = { summary: summary.text, messageIds: listMessageIds(work, summary) };
        if (!isPlannedSummary(work, summary, existing))
          await getAuthorClient(work, summary.author).setSummary({ params, body });
      },
    );
    progress.add();
  });
  progress.end();
}
