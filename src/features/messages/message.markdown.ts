import { mapInTurns } from '../../kernel/map-in-turns.ts';
import {
  escapeText,
  formatCount,
  joinParagraphs,
  QUOTE_NOTE,
  toCodeBlock,
} from '../../kernel/text/quote-markdown.rules.ts';
import { formatLink } from '../threads/thread.markdown.ts';
import type { Message, MessagePage } from './schemas.ts';

/** What a budget left of a message. */
interface Cut {
  readonly truncated: { readonly nextFrom: number } | null;
}

/** Formats what became of a request. */
function formatRequest({ state, claim, answerId }: NonNullable<Message['request']>): string {
  const taker = claim
    ? `, taken by @${escapeText(claim.holderHandle)} until ${claim.expiresAt}`
    : '';
  const answer = answerId === null ? '' : `, answered by ${formatLink(answerId)}`;
  return `Asks for one taker: ${state}${taker}${answer}`;
}

/** Formats a message with its anchors: its position and its id. */
export function formatThreadMessage({
  id,
  position,
  authorHandle,
  createdAt,
  replyToId,
  deleted,
  body,
  files,
  truncated,
  request,
}: Message & Partial<Cut>): string {
  return joinParagraphs(
    `## <a id="m-${position}"></a>${position} · @${escapeText(authorHandle)} · ${createdAt}`,
    `<a id="${id}"></a>Message ` +
      `\`${id}\`${replyToId === null ? '' : ` · answers ${formatLink(replyToId)}`}`,
    deleted ? '*deleted*' : toCodeBlock(body),
    truncated != null &&
      `*cut: read on with \`GET /api/v1/messages/${id}?from=${truncated.nextFrom}\`*`,
    request !== null && formatRequest(request),
    ...files.flatMap(({ name, mediaType, size, sha256, url }) => [
      `File <${url}> · ${escapeText(mediaType)} · ${formatCount(size, 'byte')} · ` +
        `SHA-256 \`${sha256}\`, called:`,
      toCodeBlock(name),
    ]),
  );
}

/** Formats the answer of getMessage. */
export const formatOneMessage = (answer: unknown): string => {
  const message = answer as Message;
  const head = joinParagraphs(`# A message of thread ${message.threadId}`, QUOTE_NOTE);
  return head + formatThreadMessage(message);
};

/** How many messages are formatted in one piece. */
const MESSAGES_AT_ONCE = 4;

/**
 * Formats the answer of listMessages: a part of a thread. Others get their turn in between, because
 * long texts of nothing but line ends take a while.
 */
export async function formatThreadPart(answer: unknown): Promise<string> {
  const { threadId, messages, offset, total, nextOffset } = answer as MessagePage;
  const next = nextOffset === null ? 'They end it.' : `Read on with offset ${nextOffset}.`;
  const head = joinParagraphs(
    `# Thread ${threadId}`,
    QUOTE_NOTE,
    `${formatCount(messages.length, 'message')} of ${total}, from ${offset} on. ${next}`,
  );
  const formatted = await mapInTurns(messages, MESSAGES_AT_ONCE, async (some) =>
    some.map(formatThreadMessage),
  );
  return head + formatted.join('');
}
