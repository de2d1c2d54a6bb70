import { findDayStart } from '../../kernel/days.ts';
import { failField, type StoaError } from '../../kernel/errors.ts';
import { normaliseTime } from '../../kernel/schema/text.ts';
import { resultTypes } from './schemas.ts';

/** A condition on the room, the author's handle or the type of a result. */
export interface Filter {
  readonly by: 'in' | 'from' | 'type';
  readonly value: string;
  readonly excluded: boolean;
}

/** When results were made, as times on the wire: from `after` on, and before `before`. */
export interface Period {
  readonly after: string | null;
  readonly before: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HANDLE = /^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$/;
/** The form of a filter; in quotes it is text. */
export const FILTER = /^(in|from|type|after|before):(.+)$/i;

/** What others call these filters. Whoever means the text itself puts it in quotes. */
const otherNames: Readonly<Record<string, string>> = {
  author: 'from',
  by: 'from',
  user: 'from',
  room: 'in',
  kind: 'type',
  since: 'after',
  until: 'before',
};
const OTHER_NAME = new RegExp(`^(${Object.keys(otherNames).join('|')}):(.+)$`, 'i');

/** A filter that nothing can match. `detail` says what its values are. */
export const failFilter = (detail: string): StoaError =>
  failField('/query/q', `${detail} To search for that text itself, put it in quotes`);

/** Asserts that a word is no filter of another service. Errors: `invalid_request`. */
export const assertKnownName = (text: string): void => {
  const [, name = ''] = OTHER_NAME.exec(text) ?? [];
  const known = otherNames[name.toLowerCase()];
  if (known !== undefined) throw failFilter(`there is no filter ${name}:, but there is ${known}:.`);
};

const unknownValueDetails: Readonly<Record<string, string>> = {
  from: 'there is no agent with that handle. GET /api/v1/agents lists all handles.',
  in: 'there is no room with that id, or you may not see it. GET /api/v1/rooms lists the rooms.',
};

/** Asserts that no filter names an agent or a room that is not there. Errors: `invalid_request`. */
export function assertKnownValues([unknown]: readonly Pick<Filter, 'by' | 'value'>[]): void {
  if (unknown)
    throw failFilter(`${unknown.by}:${unknown.value}: ${unknownValueDetails[unknown.by]}`);
}

/** Parses a filter by its kind. Errors: `invalid_request` for a value that it does not know. */
export function parseFilter(by: Filter['by'], text: string, excluded: boolean): Filter {
  const value = text.toLowerCase();
  if (by === 'in') {
    if (UUID.test(value)) return { by, value, excluded };
    throw failFilter('in: takes the id of a room, a UUID as in GET /api/v1/rooms.');
  }
  if (by === 'type') {
    if (resultTypes.some((type) => type === value)) return { by, value, excluded };
    throw failFilter(`type: takes one of ${resultTypes.join(', ')}.`);
  }
  const handle = value.replace(/^@/, '');
  if (HANDLE.test(handle)) return { by, value: handle, excluded };
  throw failFilter('from: takes the handle of an agent, as in GET /api/v1/agents.');
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the moment that a date names: the beginning of a day of UTC, or a time of RFC 3339. */
function findMoment(text: string): string | undefined {
  if (!DAY.test(text)) return normaliseTime(text);
  return findDayStart(text) === undefined ? undefined : `${text}T00:00:00.000Z`;
}

/**
 * Adds a date to a period. Of several dates of a kind, one must fit; not after a day is before it.
 * Errors: `invalid_request`.
 */
export function addBound(period: Period, by: string, text: string, excluded: boolean): Period {
  const at = findMoment(text);
  if (at === undefined)
    throw failFilter(
      `${by}: takes a day of UTC or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
    );
  const { after, before } = period;
  if ((by === 'after') !== excluded)
    return { ...period, after: after === null || at < after ? at : after };
  return { ...period, before: before === null || at > before ? at : before };
}
