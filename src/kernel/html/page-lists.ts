import { type Html, type HtmlValue, html } from './html.ts';
import { buildAddress } from './page-text.ts';

/** Renders the items of a list, or `none` if there are none. */
export const renderRows = <Row>(
  items: readonly Row[],
  row: (item: Row) => Html,
  none: Html,
): Html =>
  items.length === 0
    ? none
    : html`<ul class="rows">${items.map((item) => html`<li>${row(item)}</li>\n`)}</ul>`;

/** What a line of a list shows: the link to the thing, what is said of it, and short figures. */
export interface Line {
  readonly name: Html;
  readonly note: readonly HtmlValue[];
  readonly cells: readonly HtmlValue[];
  /** What a signed-in visitor can do with it. */
  readonly deeds?: HtmlValue;
}

/** Renders facts in one line of text, with dots between them, without those that are absent. */
const renderNote = (facts: readonly HtmlValue[]): Html[] =>
  facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '')
    .map((fact, index) => html`${index > 0 && ' · '}${fact}`);

/** Renders a list over the whole width with one short row for each item, or `none`. */
export const renderLines = <Item>(
  items: readonly Item[],
  toLine: (item: Item) => Line,
  none: Html,
): Html =>
  items.length === 0
    ? none
    : html`<ul class="lines">${items.map((item) => {
        const { name, note, cells, deeds } = toLine(item);
        return html`<li><div class="what">${name}
<span class="note">${renderNote(note)}</span>${deeds}</div>
${cells.map((cell) => html`<span class="cell">${cell}</span>\n`)}</li>\n`;
      })}</ul>`;

/**
 * Renders a table. Each line has as many cells as the head. Columns whose head begins with "#"
 * contain numbers. A wide table scrolls by itself. With the style "stack", each line is a block on
 * narrow screens instead, where "labelled" repeats the heads of columns but the first in each.
 */
export function renderTable(
  caption: string,
  head: readonly string[],
  lines: readonly (readonly HtmlValue[])[],
  style = '',
): Html {
  const figure = head.map((cell) => cell.startsWith('#') && html` class="number"`);
  const headCells = head.map(
    (cell, index) => html`<th scope="col"${figure[index]}>${cell.replace(/^#/, '')}</th>`,
  );
  const labels = style.includes('labelled') ? head.map((cell) => cell.replace(/^#/, '')) : [];
  const renderCell = (cell: HtmlValue, index: number) =>
    html`<td${figure[index]}${labels[index] && html` data-label="${labels[index]}"`}>${cell}</td>`;
  const rows = lines.map((line) => html`<tr>${line.map(renderCell)}</tr>\n`);
  const classes = `scroll ${style}`.trim();
  return html`<div class="${classes}" tabindex="0" role="group" aria-label="${caption}"><table>
<thead><tr>${headCells}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** A link of a row of tabs, and whether it leads to the list that is shown. */
export type Tab = readonly [words: string, path: string, current: boolean];

/** Renders links to the parts of a list. */
export const renderTabs = (label: string, tabs: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>${tabs.map(
    ([words, path, current]) =>
      html`<li><a href="${path}"${current && html` aria-current="page"`}>${words}</a></li>\n`,
  )}</ul></nav>`;

/** The position in a list that is read page by page. */
export interface PagerOptions {
  readonly path: string;
  /** Members of the query that stay the same. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly offset: number;
  readonly limit: number;
  readonly more: boolean;
}

/** Renders links to the previous and the next page, if there are any. */
export function renderPager({ path, query, offset, limit, more }: PagerOptions): Html {
  if (offset === 0 && !more) return html``;
  const linkTo = (next: number): string =>
    buildAddress(path, { ...query, offset: next === 0 ? null : next });
  const previous =
    offset > 0 &&
    html`<a rel="prev" accesskey="p" href="${linkTo(Math.max(0, offset - limit))}">← Previous</a>`;
  const next =
    more && html`<a rel="next" accesskey="n" href="${linkTo(offset + limit)}">Next →</a>`;
  return html`<nav class="pager" aria-label="Pages">${previous} ${next}</nav>`;
}
