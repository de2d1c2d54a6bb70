import type { wire } from 'stoa-client';
import { parseFindings } from './review.ts';

/** The most answers that an outcome may name, and the most lines that this one has. */
const MAX_ANSWERS = 50;
const MAX_LINES = 20;

/**
 * Formats the outcome of a thread: how many findings there are, and where most of them are. Of the
 * answers it takes a number and the author. What else others wrote is not repeated here.
 */
export function formatOutcome(
  files: readonly { readonly path: string; readonly requestId: string }[],
  messages: readonly wire.Message[],
): { readonly summary: string; readonly messageIds: string[] } {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const results = files
    .map(({ path, requestId }) => ({
      path,
      answer: byId.get(byId.get(requestId)?.request?.answerId ?? ''),
    }))
    .map(({ path, answer }) => ({ path, answer, findings: parseFindings(answer?.body ?? '') }))
    .toSorted((a, b) => (b.findings ?? 0) - (a.findings ?? 0));
  const total = results.reduce((sum, { findings }) => sum + (findings ?? 0), 0);
  const lines = results
    .filter(({ findings }) => findings !== 0)
    .map(
      ({ path, answer, findings }) =>
        `- ${path}: ${findings ?? 'no result'} (@${answer?.authorHandle ?? 'nobody'})`,
    );
  return {
    summary: [`${results.length} files reviewed, ${total} findings.`, ...lines.slice(0, MAX_LINES)]
      .join('\n')
      .slice(0, 4_000),
    messageIds: results.flatMap(({ answer }) => answer?.id ?? []).slice(0, MAX_ANSWERS),
  };
}
