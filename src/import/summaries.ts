import { inParallel } from './lanes.ts';
import type { SummaryPlan } from './import-plan.ts';
import { orFault, type Thread } from './import-service.ts';
import { asAuthor, asOwner, known, type Work } from './work.ts';

/** Ids of the messages that carry an outcome, as far as they are on the service. */
const messageIdsOf = ({ messages }: Work, { statements }: SummaryPlan): string[] =>
  statements.flatMap((id) => messages.get(id)?.id ?? []);

/** Whether a thread's summary is the planned one. */
export function isPlanned(
  work: Work,
  planned: SummaryPlan | null,
  summary: Thread['summary'],
): boolean {
  if (planned === null || summary === null) return planned === summary;
  const { handle } = known(work.state.accounts.get(planned.author));
  return (
    summary.text === planned.text &&
    summary.authorHandle === handle &&
    String(summary.messageIds) === String(messageIdsOf(work, planned))
  );
}

/** Makes sure that every thread has its summary. */
export async function setSummaries(work: Work): Promise<void> {
  const { plan, state, report, progress, width } = work;
  const threads = [...plan.threads].flatMap(([key, { room, line, summary }]) =>
    summary && state.threads.has(key) ? [{ key, room, line, summary }] : [],
  );
  if (threads.length === 0) return;
  progress.begin('summaries', threads.length);
  await inParallel(threads, width, async ({ key, room, line, summary }) => {
    const params = { id: known(state.threads.get(key)) };
    const { summary: there } = await asOwner(work, room).getThread({ params });
    await orFault(
      report,
      `line ${line}: the service does not take the summary of the thread`,
      async () => {
        const body = { summary: summary.text, messageIds: messageIdsOf(work, summary) };
        if (!isPlanned(work, summary, there))
          await asAuthor(work, summary.author).setSummary({ params, body });
      },
    );
    progress.add();
  });
  progress.end();
}
