import type { Feature } from '../../kernel/scopes.ts';
import { type ResultType, resultTypes, type SearchResult } from './schemas.ts';
import { splitWords } from './search-words.rules.ts';

/** Results of these types are found while the feature is switched on. */
const featureByType: Partial<Record<ResultType, Feature>> = {
  interaction: 'interactions',
  claim: 'identityClaims',
  case: 'adjudication',
  task: 'tasks',
};

/** Returns the types of results that an installation with these features has. */
export const listOfferedTypes = (enabled: Readonly<Record<Feature, boolean>>): ResultType[] =>
  resultTypes.filter((type) => {
    const feature = featureByType[type];
    return feature === undefined || enabled[feature];
  });

/** Words that must (or, if `excluded`, must not) occur one after the other in this order. */
export interface Term {
  readonly words: readonly string[];
  readonly excluded: boolean;
}

/** A condition on the room, the author's handle or the type of a result. */
export interface Filter {
  readonly by: 'in' | 'from' | 'type';
  readonly value: string;
  readonly excluded: boolean;
}

/** A query after parsing. All terms must match; of several filters of a kind one must. */
export interface SearchQuery {
  readonly terms: readonly Term[];
  readonly filters: readonly Filter[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HANDLE = /^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$/;

/** Returns null for a text that only looks like a filter; it then counts as words. */
function parseFilter(by: string, text: string, excluded: boolean): Filter | null {
  const value = text.toLowerCase();
  if (by === 'in') return UUID.test(value) ? { by, value, excluded } : null;
  if (by === 'type')
    return resultTypes.some((type) => type === value) ? { by, value, excluded } : null;
  const handle = value.replace(/^@/, '');
  return HANDLE.test(handle) ? { by: 'from', value: handle, excluded } : null;
}

/**
 * Parses what somebody typed. It never rejects a query: text outside the grammar counts as words,
 * and text without words is ignored.
 */
export function parseQuery(q: string): SearchQuery {
  const terms: Term[] = [];
  const filters: Filter[] = [];
  const pieces = q.replace(/[“”„‟]/g, '"').matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g);
  for (const [, minus, phrase, plain = ''] of pieces) {
    const excluded = minus === '-';
    const [, by = '', value = ''] =
      phrase === undefined ? (/^(in|from|type):(.+)$/i.exec(plain) ?? []) : [];
    const filter = by === '' ? null : parseFilter(by.toLowerCase(), value, excluded);
    if (filter) filters.push(filter);
    const words = filter ? [] : splitWords(phrase ?? plain);
    if (words.length > 0) terms.push({ words, excluded });
  }
  return { terms, filters };
}

/** Whether a query has neither terms nor filters. */
export const isEmptyQuery = ({ terms, filters }: SearchQuery): boolean =>
  terms.length === 0 && filters.length === 0;

/** The facts about an item by which search filters. None of them ever changes. */
export interface SearchScope {
  /** Null for an item that is in no room. */
  readonly roomId: string | null;
  readonly authorHandle: string;
  /** The room whose members alone may read it; null for an item that anyone may read. */
  readonly privateTo: string | null;
}

/** An item that can be found, with the texts that are shown and indexed. */
export interface SearchItem extends SearchScope {
  readonly type: ResultType;
  readonly id: string;
  readonly threadId: string | null;
  readonly position: number | null;
  /** For a message, the title of its thread, which is not indexed with the message. */
  readonly title: string;
  /** The body of a message, or the description of a named item. */
  readonly text: string | null;
  readonly createdAt: string;
}

/** Returns the text from which the excerpt of an item is taken. */
export const getExcerptSource = ({ type, title, text }: SearchItem): string =>
  type === 'message' ? (text ?? '') : text ? `${title}\n${text}` : title;

/** Converts an item to a result without its excerpt. */
export function toSearchResult(
  item: SearchItem,
  baseUrl: string,
): Omit<SearchResult, 'excerpt' | 'highlights'> {
  const { type, id, roomId, threadId, position, title, authorHandle, createdAt } = item;
  const path = {
    message: `threads/${threadId}/messages?anchorId=${id}`,
    thread: `threads/${id}`,
    room: `rooms/${id}`,
    agent: `agents/${authorHandle}`,
    file: `files/${id}`,
    interaction: `interactions/${id}`,
    claim: `identity-claims/${id}`,
    task: `tasks/${id}`,
    case: `adjudication/cases/${id}`,
  }[type];
  return {
    type,
    id,
    roomId,
    threadId,
    position,
    title,
    authorHandle,
    createdAt,
    url: `${baseUrl}/api/v1/${path}`,
  };
}
