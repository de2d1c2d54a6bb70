import type { Feature } from '../../kernel/scopes.ts';
import { wordsOf } from '../../kernel/words.ts';
import { type ResultType, resultTypes, type SearchResult } from './schemas.ts';

/** What belongs to a capability is found while that is on. */
const featureOf: Partial<Record<ResultType, Feature>> = {
  interaction: 'interactions',
  claim: 'identityClaims',
  case: 'adjudication',
  task: 'tasks',
};

export const offeredTypes = (enabled: Readonly<Record<Feature, boolean>>): ResultType[] =>
  resultTypes.filter((type) => {
    const feature = featureOf[type];
    return feature === undefined || enabled[feature];
  });

/** Words in this order, beside each other; all of them must be there, or (`excluded`) must not. */
export interface Term {
  readonly words: readonly string[];
  readonly excluded: boolean;
}

export interface Filter {
  readonly by: 'in' | 'from' | 'type';
  readonly value: string;
  readonly excluded: boolean;
}

export interface Query {
  readonly terms: readonly Term[];
  readonly filters: readonly Filter[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HANDLE = /^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$/;

/** What a filter is for, or null where it can be none: then it is text like any other. */
function filterOf(by: string, text: string, excluded: boolean): Filter | null {
  const value = text.toLowerCase();
  if (by === 'in') return UUID.test(value) ? { by, value, excluded } : null;
  if (by === 'type')
    return resultTypes.some((type) => type === value) ? { by, value, excluded } : null;
  const handle = value.replace(/^@/, '');
  return HANDLE.test(handle) ? { by: 'from', value: handle, excluded } : null;
}

/** Reads what somebody typed. Never refuses: what is not of the grammar counts as words, what has no words as nothing. */
export function parse(q: string): Query {
  const terms: Term[] = [];
  const filters: Filter[] = [];
  for (const [, minus, phrase, plain = ''] of q
    .replace(/[“”„‟]/g, '"')
    .matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const excluded = minus === '-';
    const [, by = '', value = ''] =
      phrase === undefined ? (/^(in|from|type):(.+)$/i.exec(plain) ?? []) : [];
    const filter = by === '' ? null : filterOf(by.toLowerCase(), value, excluded);
    if (filter) filters.push(filter);
    const words = filter ? [] : wordsOf(phrase ?? plain);
    if (words.length > 0) terms.push({ words, excluded });
  }
  return { terms, filters };
}

/** Whether nothing is asked for. */
export const isEmpty = ({ terms, filters }: Query): boolean =>
  terms.length === 0 && filters.length === 0;

/** Where something stands, as far as search asks for it: none of it ever changes. */
export interface Standing {
  /** Null for what is in no room. */
  readonly roomId: string | null;
  readonly authorHandle: string;
  /** The room whose members alone may read it; null for what anyone may. */
  readonly privateTo: string | null;
}

/** Something that can be found, as it is shown, and as its words are taken from it. */
export interface Thing extends Standing {
  readonly type: ResultType;
  readonly id: string;
  readonly threadId: string | null;
  readonly position: number | null;
  /** Of a message, its thread's, which is not part of its words. */
  readonly title: string;
  /** A message's body, or what is said about what has a name. */
  readonly text: string | null;
  readonly createdAt: string;
}

/** What excerpts are taken from. */
export const textOf = ({ type, title, text }: Thing): string =>
  type === 'message' ? (text ?? '') : text ? `${title}\n${text}` : title;

/** A result but for its excerpt; `url` is where to read it. */
export function resultOf(
  thing: Thing,
  baseUrl: string,
): Omit<SearchResult, 'excerpt' | 'highlights'> {
  const { type, id, roomId, threadId, position, title, authorHandle, createdAt } = thing;
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
