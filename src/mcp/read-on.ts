import type { Operation } from '../kernel/operation/operation.ts';
import type { CallResult } from '../kernel/pipeline/environment.ts';

/** How a tool goes on: by the number of rows to skip, by a cursor, or not at all. */
export type Paging = 'offset' | 'cursor' | null;

type Members = Readonly<Record<string, unknown>>;

/** Whether a list continues, and the sentence that says how. */
export interface Continuation {
  readonly hasMore: boolean;
  readonly nextOffset?: number | null;
  readonly nextBefore?: string;
  readonly nextBeforeAt?: string;
  readonly nextCursor?: Cursor;
  readonly nextExcerptFrom?: number;
  readonly readOn: string | null;
}

/** Returns how the answer of an operation goes on. */
export function findPaging({ query }: Pick<Operation, 'query'>): Paging {
  const { offset, cursor } = ((query ?? {}) as { readonly properties?: Members }).properties ?? {};
  return offset !== undefined ? 'offset' : cursor !== undefined ? 'cursor' : null;
}

/** Where a stream goes on, or a walk; null at the end of a walk. */
export type Cursor = number | string | null;

/** Builds the sentence that says how to read on. */
export const formatReadOn = (tool: string, given: string): string =>
  `There is more. To read on, call ${tool} again with ${given}.`;

/** A message as the answer of a tool has it. */
interface MaybeCut {
  readonly id?: unknown;
  readonly truncated?: { readonly nextFrom: number } | null;
}

/** Returns a sentence for a message that was cut, of which a page has one at most. */
function findCutMessage({ messages, ...answer }: Members): string {
  const all = (Array.isArray(messages) ? messages : [answer]) as MaybeCut[];
  const cut = all.find(({ id, truncated }) => id !== undefined && truncated);
  if (!cut) return '';
  const from = cut.truncated?.nextFrom;
  return `A message is cut: get_message with messageId ${cut.id} and from ${from}.`;
}

/** Returns where the answer of a tool continues, without what a budget has cut. */
function findNextPage(
  tool: string,
  paging: Paging,
  answer: Members,
  { items, next, nextOffset: cutOffset, ...reply }: CallResult['reply'],
  query: Members,
): Continuation {
  if (paging === 'cursor') {
    const { nextCursor, ...page } = answer as { hasMore?: boolean; nextCursor: Cursor };
    const hasMore = page.hasMore ?? nextCursor !== null;
    const whole = query.excerptFrom === undefined ? '' : ', without excerptFrom';
    const readOn = hasMore ? formatReadOn(tool, `cursor ${nextCursor}${whole}`) : null;
    return { hasMore, nextCursor, readOn };
  }
  const { offset = 0, limit = 50, before, anchorId, excerptFrom } = query;
  const whole = excerptFrom === undefined ? '' : ', without excerptFrom';
  const own = answer.nextOffset as number | null | undefined;
  const more = items?.more ?? reply.more ?? false;
  if (own === null || (own === undefined && !more))
    return { hasMore: false, nextOffset: null, readOn: null };
  // A walk that began with `before` goes on with it: an offset would begin at the top again.
  if (before !== undefined && next !== undefined) {
    const { before: nextBefore, beforeAt } = next;
    const at = beforeAt === undefined ? '' : `, beforeAt ${beforeAt}`;
    return {
      hasMore: true,
      nextOffset: null,
      nextBefore,
      ...(beforeAt !== undefined && { nextBeforeAt: beforeAt }),
      readOn: formatReadOn(tool, `before ${nextBefore}${at}, without offset${whole}`),
    };
  }
  const nextOffset = own ?? cutOffset ?? Number(offset) + Number(limit);
  // An anchor takes precedence over an offset, so that the same page would come again.
  const without = `${anchorId === undefined ? '' : ', without anchorId'}${whole}`;
  return {
    hasMore: true,
    nextOffset,
    readOn: formatReadOn(tool, `offset ${nextOffset}${without}`),
  };
}

/**
 * Returns where the answer of a tool continues. A model must learn it from either copy of a result,
 * so it stands at the beginning of both. Undefined for an answer that is whole, of a tool that has
 * no pages.
 */
export function buildContinuation(
  tool: string,
  paging: Paging,
  answer: Members,
  reply: CallResult['reply'],
  query: Members,
): Continuation | undefined {
  const { excerptFrom } = reply;
  if (excerptFrom !== undefined) {
    const { offset = 0, cursor = 0 } = query as Readonly<Record<string, number>>;
    const readOn = formatReadOn(tool, `the same arguments and excerptFrom ${excerptFrom}`);
    return {
      hasMore: true,
      ...(paging === 'offset' && { nextOffset: offset }),
      ...(paging === 'cursor' && { nextCursor: cursor }),
      nextExcerptFrom: excerptFrom,
      readOn,
    };
  }
  const note = findCutMessage(answer);
  const next = paging === null ? undefined : findNextPage(tool, paging, answer, reply, query);
  if (note === '') return next;
  const readOn = [note, ...(next?.readOn ? [next.readOn] : [])].join(' ');
  return { hasMore: true, ...next, readOn };
}
