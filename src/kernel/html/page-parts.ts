import { type Html, type HtmlValue, html } from './html.ts';
import type { Page, View } from './page.ts';

/**
 * The parts that pages are built from, so that the same thing looks and reads the same everywhere.
 * All of them take plain text and escape it.
 */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats the date of an ISO time for people: "1 Mar 2026". */
export const formatDay = (iso: string): string =>
  `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;

/**
 * Renders a time in UTC, to the minute. It is never relative, such as "an hour ago", because a
 * stored page must remain true and keep its ETag.
 */
export const renderTime = (iso: string): Html =>
  html`<time datetime="${iso}">${formatDay(iso)}, ${iso.slice(11, 16)} UTC</time>`;

export const renderDay = (iso: string): Html =>
  html`<time datetime="${iso.slice(0, 10)}">${formatDay(iso)}</time>`;

/** Formats 1234567 as "1,234,567". */
export const formatNumber = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** Formats a number with its noun: "1 message", "2 messages". */
export const formatCount = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

/** Capitalizes one of our own words at the beginning of a line: "delivery" becomes "Delivery". */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Formats one of our own codes for people: "first_hand" becomes "first hand". */
export const formatCode = (code: string): string => code.replaceAll('_', ' ');

/** Renders a name that others chose. Its direction does not affect the surrounding text. */
export const renderName = (text: string): Html => html`<bdi>${text}</bdi>`;

const EXCERPT_LENGTH = 200;

/** Truncates a text for one line of a list. */
export function truncateText(text: string): string {
  const characters = [...text.slice(0, 2 * EXCERPT_LENGTH + 2)];
  return characters.length > EXCERPT_LENGTH
    ? `${characters.slice(0, EXCERPT_LENGTH).join('').trimEnd()}…`
    : text;
}

export const renderAgentLink = (handle: string): Html =>
  html`<a href="/agents/${handle}">@${handle}</a>`;

export const renderTag = (text: string): Html => html`<span class="tag">${text}</span>`;

/**
 * Renders small facts in one line and leaves out those that are false, empty or absent. The dots
 * are text, for browsers without a stylesheet. The stylesheet hides a dot at the beginning of a
 * line.
 */
export function renderMeta(...facts: readonly HtmlValue[]): Html {
  const spans = facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '')
    .map((fact, index) => html`<span>${index > 0 && html`<i>· </i>`}${fact}</span>\n`);
  return html`<p class="meta">${spans}</p>`;
}

/** Renders terms with their values. */
export function renderFacts(entries: readonly (readonly [term: string, HtmlValue])[]): Html {
  const items = entries.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>\n`);
  return html`<dl class="facts">${items}</dl>`;
}

/** Renders counts in large digits. */
export function renderFigures(entries: readonly (readonly [term: string, value: number])[]): Html {
  const items = entries.map(
    ([term, value]) => html`<div><dt>${term}</dt><dd>${formatNumber(value)}</dd></div>\n`,
  );
  return html`<dl class="figures">${items}</dl>`;
}

export const renderEmpty = (...lines: readonly HtmlValue[]): Html =>
  html`<div class="empty">${lines.map((line) => html`<p>${line}</p>`)}</div>`;

/** Renders the items of a list, or `none` if there are none. */
export const renderRows = <Row>(
  items: readonly Row[],
  row: (item: Row) => Html,
  none: Html,
): Html =>
  items.length === 0
    ? none
    : html`<ul class="rows">${items.map((item) => html`<li>${row(item)}</li>\n`)}</ul>`;

/**
 * Renders a table. Each line has as many cells as the head. Columns whose head begins with "#"
 * contain numbers. A wide table scrolls by itself.
 */
export function renderTable(
  caption: string,
  head: readonly string[],
  lines: readonly (readonly HtmlValue[])[],
): Html {
  const figure = head.map((cell) => cell.startsWith('#') && html` class="number"`);
  const headCells = head.map(
    (cell, index) => html`<th scope="col"${figure[index]}>${cell.replace(/^#/, '')}</th>`,
  );
  const renderCell = (cell: HtmlValue, index: number) => html`<td${figure[index]}>${cell}</td>`;
  const rows = lines.map((line) => html`<tr>${line.map(renderCell)}</tr>\n`);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table>
<thead><tr>${headCells}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** Renders text to copy unchanged, such as a command or a document. */
export const renderCopyable = (text: string): Html => html`<pre><code>${text}</code></pre>`;

/** Builds a path with a query. Members that are null, undefined or empty are left out. */
export function buildAddress(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const presentMembers = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (presentMembers.length === 0) return path;
  const members = presentMembers.map(([key, value]): [string, string] => [key, String(value)]);
  return `${path}?${new URLSearchParams(members)}`;
}

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
    offset > 0 && html`<a rel="prev" href="${linkTo(Math.max(0, offset - limit))}">← Previous</a>`;
  const next = more && html`<a rel="next" href="${linkTo(offset + limit)}">Next →</a>`;
  return html`<nav class="pager" aria-label="Pages">${previous} ${next}</nav>`;
}

/** Renders the field that every form of a signed-in person must have. */
const renderTokenField = ({ visitor }: View): Html | null =>
  visitor && html`<input type="hidden" name="token" value="${visitor.token}">`;

/**
 * Renders a form that changes something. Its token proves that it comes from a page of this
 * session.
 */
export const renderPostForm = (
  view: View,
  action: string,
  fields: HtmlValue,
): Html => html`<form method="post" action="${action}">${renderTokenField(view)}
${fields}
</form>`;

/** A feature as its page explains it while it is switched off. */
export interface DisabledFeature {
  /** The title of the page, such as "Wallet". */
  readonly title: string;
  /** The purpose of the feature, in a sentence or two. */
  readonly about: string;
  /** The settings that switch it on, in the order in which they depend on each other. */
  readonly settings: readonly string[];
  /** The name of its document, such as "credits". */
  readonly doc: string;
  readonly path: string;
}

/** Builds the page of a feature that this installation has switched off. */
export const buildDisabledPage = ({
  title,
  about,
  settings,
  doc,
  path,
}: DisabledFeature): Page => ({
  title,
  path,
  description: about,
  main: html`<h1>${title}</h1>
<p class="lead">${about}</p>
<div class="card">
<p><strong>This installation has it switched off.</strong>
Whoever runs it can switch it on: set
${settings.length === 1 ? 'this variable' : 'these variables'} and start the service again.</p>
${renderCopyable(settings.map((setting) => `${setting}=on`).join('\n'))}
</div>
<p><a href="/docs/${doc}">Read how it works</a>, or see
<a href="/api/v1/capabilities">what is switched on here</a>.</p>`,
});
