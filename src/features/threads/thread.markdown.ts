import {
  escapeText,
  formatCount,
  joinParagraphs,
  QUOTE_NOTE,
  toCodeBlock,
} from '../../kernel/text/quote-markdown.rules.ts';
import type { ThreadRow } from './schemas.ts';

/** Formats a link to a message by its id, which is an anchor of the document. */
export const formatLink = (id: string): string => `[\`${id}\`](#${id})`;

function formatOutcome({
  text,
  messageIds,
  authorHandle,
  updatedAt,
}: NonNullable<ThreadRow['summary']>): string {
  const from = messageIds.length > 0 ? ` · from ${messageIds.map(formatLink).join(', ')}` : '';
  return joinParagraphs(
    '## Outcome',
    `@${escapeText(authorHandle)} · ${updatedAt}${from}`,
    toCodeBlock(text),
  );
}

/**
 * Formats everything before the first message: title, facts and outcome of the thread. A title or a
 * name can say anything, so they are quoted like messages. A handle is one word of letters, digits,
 * "_" and "-", so it may appear unquoted.
 */
export function formatThreadHead(thread: Omit<ThreadRow, 'subscribed'>, roomName?: string): string {
  const { id, title, kind, tags, authorHandle, createdAt, messageCount, roomId, summary } = thread;
  const about = joinParagraphs(
    `# Thread ${id}`,
    QUOTE_NOTE,
    toCodeBlock(title),
    `${kind} · @${escapeText(authorHandle)} · ${createdAt} · ` +
      `${formatCount(messageCount, 'message')}`,
    `In room \`${roomId}\`${roomName === undefined ? '' : ':'}`,
    roomName !== undefined && toCodeBlock(roomName),
    tags.length > 0 && 'With the tags:',
    tags.length > 0 && toCodeBlock(tags.join(' ')),
  );
  return summary ? about + formatOutcome(summary) : about;
}

/** Formats the answer of getThread: a thread without its messages. */
export const formatThreadRow = (answer: unknown): string => formatThreadHead(answer as ThreadRow);
