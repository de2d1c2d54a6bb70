import type { Feature } from '../../kernel/scopes.ts';
import { type ResultType, resultTypes, type SearchResult } from './schemas.ts';

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
