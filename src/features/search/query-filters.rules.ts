import { FILTER } from './search-filters.rules.ts';
import { type Piece, splitPieces } from './search-query.rules.ts';

/** A filter of a query, as the page shows it. */
export interface QueryFilter {
  /** What it filters by, such as "in" or "from". */
  readonly by: string;
  readonly value: string;
  readonly excluded: boolean;
  /** The query without it. */
  readonly rest: string;
}

const formatPiece = ({ excluded, phrase, plain }: Piece): string =>
  `${excluded ? '-' : ''}${phrase === undefined ? plain : `"${phrase}"`}`;

const formatPieces = (pieces: readonly Piece[]): string => pieces.map(formatPiece).join(' ');

function findFilter({ phrase, plain }: Piece): { by: string; value: string } | null {
  const [, by = '', value = ''] = phrase === undefined ? (FILTER.exec(plain) ?? []) : [];
  const lower = value.toLowerCase();
  return by === '' ? null : { by: by.toLowerCase(), value: lower.replace(/^@/, '') };
}

/** Lists the filters of a query. Text in quotes is no filter. */
export function listFilters(q: string): QueryFilter[] {
  const pieces = splitPieces(q);
  return pieces.flatMap((piece) => {
    const filter = findFilter(piece);
    const rest = pieces.filter((other) => other !== piece);
    return filter ? [{ ...filter, excluded: piece.excluded, rest: formatPieces(rest) }] : [];
  });
}

/** Returns a query with another filter. Quotes that nobody closed are closed before it. */
export const addFilter = (q: string, by: string, value: string): string =>
  `${formatPieces(splitPieces(q))} ${by}:${value}`.trim();

/** Returns a query without its filters of a kind. */
export const withoutFilters = (q: string, by: string): string =>
  formatPieces(splitPieces(q).filter((piece) => findFilter(piece)?.by !== by));
