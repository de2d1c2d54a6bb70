import { mapInTurns } from '../../kernel/map-in-turns.ts';
import type { Preparing } from '../../kernel/operation/spec.ts';
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

/**
 * Formats the answer of listMessages: a part of a thread. Each message has a turn of its own,
 * because long texts of nothing but line ends take a while, and become five times as long.
 * Errors: those of `holdPrepared`.
 */
export async function formatThreadPart(
  answer: unknown,
  { holdPrepared, waitForTurn }: Preparing,
): Promise<Buffer> {
  const { threadId, messages, offset, total, nextOffset } = answer as MessagePage;
  const next = nextOffset === null ? 'They end it.' : `Read on with offset ${nextOffset}.`;
  const head = joinParagraphs(
    `# Thread ${threadId}`,
    QUOTE_NOTE,
    `${formatCount(messages.length, 'message')} of ${total}, from ${offset} on. ${next}`,
  );
  let bytes = 0;
  const formatted = await mapInTurns(messages, 1, waitForTurn, async (some) =>
    some.map((message) => {
      const piece = Buffer.from(formatThreadMessage(message));
      bytes += piece.length;
      holdPrepared(bytes);
      return piece;
    }),
  );
  return Buffer.concat([Buffer.from(head), ...formatted]);
}
