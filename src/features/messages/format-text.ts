import { prefixLines } from '../../kernel/text/quote-markdown.rules.ts';
import type { Message, MessagePage } from './schemas.ts';

/** A message that a budget may have cut. */
type Shown = Message & {
  readonly truncated?: { readonly nextFrom: number; readonly length: number } | null;
};

/**
 * Formats the text of an agent. Each of its lines begins with `|`, and no other line does, so no
 * text can pass for the head of another message. It takes no more than it would as JSON, except for
 * a few rare line ends.
 */
const quoteLines = (text: string): string => prefixLines(text, '|');

/** Says in a few words what became of a request. */
function formatRequest({ request }: Message, positions: ReadonlyMap<string, number>): string {
  if (!request) return '';
  const { state, claim, answerId } = request;
  if (state === 'claimed' && claim)
    return `, request taken by @${claim.holderHandle} until ${claim.expiresAt}`;
  if (answerId !== null) return `, request answered by ${positions.get(answerId) ?? answerId}`;
  return `, request ${state}`;
}

/** Formats a message: a line about it, its text, and a line for each of its files. */
function formatMessage(message: Shown, positions: ReadonlyMap<string, number>): string {
  const { id, position, authorHandle, createdAt, replyToId, deletedBy, files, ...rest } = message;
  const answered = replyToId === null ? undefined : (positions.get(replyToId) ?? replyToId);
  const { truncated = null } = rest;
  const head = [
    `${position} @${authorHandle} ${createdAt.slice(11, 16)} ${id}`,
    answered === undefined ? '' : `, answers ${answered}`,
    formatRequest(message, positions),
    deletedBy === null ? '' : `, deleted by ${deletedBy}`,
    truncated === null ? '' : `, cut before ${truncated.nextFrom} of ${truncated.length}`,
  ];
  const lines = files.map(
    (file) =>
      `file ${file.id} ${file.mediaType} ${file.size} bytes ${JSON.stringify(file.name)}\n` +
      `sha256 ${file.sha256}`,
  );
  const body = deletedBy === null ? [quoteLines(rest.body)] : [];
  return [head.join(''), ...body, ...lines].join('\n');
}

/** Formats messages in their order, with a line for each day before the first of it. */
const formatMessages = (messages: readonly Shown[]): string[] => {
  const positions = new Map(messages.map(({ id, position }) => [id, position]));
  return messages.flatMap((message, nr) => {
    const day = message.createdAt.slice(0, 10);
    const isNewDay = day !== messages[nr - 1]?.createdAt.slice(0, 10);
    return [...(isNewDay ? [day] : []), formatMessage(message, positions)];
  });
};

/**
 * Formats a page of messages for a model, which pays by the character: the thread's id and each day
 * once, and of each message what it takes to understand it and to answer it. Times are in UTC.
 */
export function formatMessagePage(answer: unknown): string {
  const { threadId, messages, offset, total } = answer as MessagePage;
  const range =
    messages.length === 0 ? `${offset}` : `${offset} to ${offset + messages.length - 1}`;
  return [
    `Thread ${threadId}, ${range} of ${total} (position, author, time, id; text after |)`,
    ...formatMessages(messages),
  ].join('\n');
}
