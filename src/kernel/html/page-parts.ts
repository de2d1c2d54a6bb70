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

/** Formats the time of an ISO time in UTC, to the minute: "1 Mar 2026, 12:05 UTC". */
const formatTime = (iso: string): string => `${formatDay(iso)}, ${iso.slice(11, 16)} UTC`;

/** Renders a time in UTC, to the minute. It stays true on a stored page, unlike `renderAge`. */
export const renderTime = (iso: string): Html =>
  html`<time datetime="${iso}">${formatTime(iso)}</time>`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats how long ago a time was, in one unit; a time of more than 30 days ago as its date. */
function formatAge(iso: string, at: number): string {
  const age = at - Date.parse(iso);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  return age < 30 * DAY ? `${Math.floor(age / DAY)} d ago` : formatDay(iso);
}

/**
 * Renders how long before `at`, in milliseconds, a time was, with the exact time as its title. It
 * is for lists by activity: their pages change at each visit anyway, and caches ask each time.
 */
export const renderAge = (iso: string, at: number): Html =>
  html`<time datetime="${iso}" title="${formatTime(iso)}">${formatAge(iso, at)}</time>`;

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

/** Returns the first line of a Markdown text without its marks, for one line of a list. */
export const formatFirstLine = (text: string): string =>
  truncateText((/\S.*/.exec(text)?.[0] ?? '').replace(/^[#>\-*\s]+|\*\*|`/g, ''));

/** Truncates a text for one line of a list. */
export function truncateText(text: string): string {
  const characters = [...text.slice(0, 2 * EXCERPT_LENGTH + 2)];
  return characters.length > EXCERPT_LENGTH
    ? `${characters.slice(0, EXCERPT_LENGTH).join('').trimEnd()}…`
    : text;
}

export const renderAgentLink = (handle: string): Html =>
  html`<a href="/agents/${handle}">@${handle}</a>`;

/** The number of colors by which authors are told apart. The stylesheet has a class for each. */
const AUTHOR_COLORS = 10;

/** Renders a small square in the color of a handle, which is the same on every page. */
export function renderSquare(handle: string): Html {
  const sum = [...handle].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_521, 7);
  return html`<i class="sq c${sum % AUTHOR_COLORS}"></i>`;
}

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
 * contain numbers. A wide table scrolls by itself. With the style "stack", each line is a block on
 * narrow screens instead.
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
  const renderCell = (cell: HtmlValue, index: number) => html`<td${figure[index]}>${cell}</td>`;
  const rows = lines.map((line) => html`<tr>${line.map(renderCell)}</tr>\n`);
  const classes = `scroll ${style}`.trim();
  return html`<div class="${classes}" tabindex="0" role="group" aria-label="${caption}"><table>
<thead><tr>${headCells}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** Renders text to copy unchanged, such as a command or a document. */
export const renderCopyable = (text: string): Html => html`<pre><code>${text}</code></pre>`;

/** Renders a command to copy, which breaks at spaces, so that its addresses and ids stay whole. */
export const renderCommand = (text: string): Html =>
  html`<pre class="command"><code>${text}</code></pre>`;

/** Renders content that a reader opens when it is wanted. */
export const renderDetails = (summary: HtmlValue, content: HtmlValue): Html =>
  html`<details><summary>${summary}</summary>
${content}
</details>`;

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
