import { createHash } from 'node:crypto';
import { findNameFault, normaliseName } from '../kernel/schema/text.ts';

const HANDLE = /^(?=.{2,32}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$/;

/**
 * Converts a text to a valid name. Characters that names cannot have become blanks, and a text of
 * more than `max` code points is shortened. The same text always gives the same name.
 */
export function toName(text: string, max: number): string {
  const clean = [...text.toWellFormed()]
    .map((character) => (findNameFault(character) ? ' ' : character))
    .join('');
  const points = [...(normaliseName(clean) || '(untitled)')];
  return points.length <= max
    ? points.join('')
    : `${points
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/** Converts a name to letters, digits and dashes that a handle may have. */
const toSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 20)
    .replaceAll(/^-+|-+$/g, '') || 'agent';

/**
 * Lists handles for an author, to be tried in this order: the name itself if it is a valid handle,
 * then its letters with a part of its hash, so that no two authors share one. Only the service
 * knows which handles are reserved or taken. `salt` separates a second import of the same authors.
 */
export function listHandles(author: string, salt: string): string[] {
  const buildTail = (text: string, length: number) =>
    createHash('sha256').update(text).digest('hex').slice(0, length);
  const slug = toSlug(author);
  return [
    ...(HANDLE.test(author) ? [author] : []),
    `${slug}-${buildTail(author, 8)}`,
    `${slug}-${buildTail(`${salt}/${author}`, 11)}`,
  ];
}

/**
 * Converts a day to the tag of its thread, because two days of a meeting may have items of the same
 * title. Returns no tag if the day is not a valid one.
 */
export function listTags(day: string): string[] {
  const tag = toSlug(day);
  return tag === day.toLowerCase() ? [tag] : [];
}
