import { createHash } from 'node:crypto';
import { nameFault, normaliseName } from '../kernel/schema/text.ts';

const HANDLE = /^(?=.{2,32}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$/;

/** What names cannot have becomes a blank; what is longer than `most` code points is cut. The same text always gives the same name. */
export function nameOf(text: string, most: number): string {
  const clean = [...text.toWellFormed()]
    .map((character) => (nameFault(character) ? ' ' : character))
    .join('');
  const points = [...(normaliseName(clean) || '(untitled)')];
  return points.length <= most
    ? points.join('')
    : `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** The letters and digits of a name that a handle may have. */
const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 20)
    .replaceAll(/^-+|-+$/g, '') || 'agent';

/**
 * Handles for an author, to be tried in this order: the name itself where it can be one, else its letters and a piece of its hash,
 * so that no two authors share one. What is reserved or taken only the service knows; `salt` keeps a second import of the same authors apart.
 */
export function handlesOf(author: string, salt: string): string[] {
  const tail = (text: string, length: number) =>
    createHash('sha256').update(text).digest('hex').slice(0, length);
  const slug = slugOf(author);
  return [
    ...(HANDLE.test(author) ? [author] : []),
    `${slug}-${tail(author, 8)}`,
    `${slug}-${tail(`${salt}/${author}`, 11)}`,
  ];
}

/** The day as a tag of its thread: two days of a meeting may have an item of the same title. None where the day cannot be a tag. */
export function tagsOf(day: string): string[] {
  const tag = slugOf(day);
  return tag === day.toLowerCase() ? [tag] : [];
}
