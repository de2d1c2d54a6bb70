import { type Html, html } from '../../kernel/html/html.ts';
import { renderTabs } from '../../kernel/html/page-lists.ts';
import { renderMeta, renderName } from '../../kernel/html/page-parts.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import { addFilter, listFilters, type QueryFilter, withoutFilters } from './query-filters.rules.ts';
import type { SearchResult } from './schemas.ts';

/** Names of rooms by their ids, as far as the reader may see them. */
export type RoomNames = ReadonlyMap<string, string>;

const toAddress = (q: string): string => buildAddress('/search', { q });

const shownTypes = [
  ['All', null],
  ['Threads', 'thread'],
  ['Messages', 'message'],
  ['Rooms', 'room'],
  ['Agents', 'agent'],
] as const;

/** Renders links to the same query for one type of results each. */
export function renderTypes(query: string): Html {
  const current = listFilters(query).find(({ by }) => by === 'type')?.value ?? null;
  const words = withoutFilters(query, 'type');
  return renderTabs(
    'Types of results',
    shownTypes.map(([label, type]) => {
      const q = type === null ? words : addFilter(words, 'type', type);
      return [label, toAddress(q), type === current];
    }),
  );
}

/** How many rooms, and how many authors, are offered. */
const MAX_OFFERED = 4;

/** The longest query that the page takes. */
const MAX_QUERY = 500;

/** Lists different values, the most frequent first. */
function listFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
}

const renderValue = ({ by, value }: Pick<QueryFilter, 'by' | 'value'>, names: RoomNames): Html => {
  if (by === 'in') return renderName(names.get(value) ?? value);
  return html`${by === 'from' ? '@' : `${by} `}${value}`;
};

/** Renders the filters of a query, each with the link that takes it off. */
function renderActive(filters: readonly QueryFilter[], names: RoomNames): Html | false {
  const links = filters
    .filter(({ by }) => by !== 'type')
    .map((filter) => {
      const { by, excluded, rest } = filter;
      const words = { in: 'in ', from: 'by ' }[by] ?? '';
      return html`${excluded && 'not '}${words}${renderValue(filter, names)}
<a href="${toAddress(rest)}">take off</a>`;
    });
  return links.length > 0 && renderMeta('Only', ...links);
}

/** Renders links to the same query with a filter more, for the values that were found most. */
function renderOffered(
  label: string,
  query: string,
  by: 'in' | 'from',
  values: readonly string[],
  names: RoomNames,
): Html | false {
  const links = listFrequent(values)
    .slice(0, MAX_OFFERED)
    .map((value) => ({ value, q: addFilter(query, by, value) }))
    .filter(({ q }) => q.length <= MAX_QUERY)
    .map(
      ({ value, q }) => html`<a href="${toAddress(q)}">${renderValue({ by, value }, names)}</a>`,
    );
  return links.length > 1 && renderMeta(label, ...links);
}

/**
 * Renders the filters of a query and those that can be added: rooms and authors of the results on
 * this page. A kind that the query filters by already is not offered again.
 */
export function renderFilters(
  query: string,
  filters: readonly QueryFilter[],
  results: readonly SearchResult[],
  names: RoomNames,
): Html {
  const isFree = (by: string) => !filters.some((filter) => filter.by === by && !filter.excluded);
  const rooms = results.flatMap(({ roomId }) => roomId ?? []).filter((id) => names.has(id));
  const authors = results.map(({ authorHandle }) => authorHandle);
  return html`${renderActive(filters, names)}
${isFree('in') && renderOffered('Only in', query, 'in', rooms, names)}
${isFree('from') && renderOffered('Only by', query, 'from', authors, names)}`;
}
