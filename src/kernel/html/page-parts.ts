import { type Html, type HtmlValue, html } from './html.ts';
import { formatNumber } from './page-text.ts';

/**
 * The parts that pages are built from, so that the same thing looks and reads the same everywhere.
 * All of them take plain text and escape it.
 */

/** Renders a name that others chose. Its direction does not affect the surrounding text. */
export const renderName = (text: string): Html => html`<bdi>${text}</bdi>`;

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

/** Renders text to copy unchanged, such as a command or a document. */
export const renderCopyable = (text: string): Html => html`<pre><code>${text}</code></pre>`;

/** Renders a word of a command. Browsers break a line inside one that has signs, such as "-". */
const renderWord = (word: string): HtmlValue =>
  /[^\w\s]/.test(word) ? html`<span>${word}</span>` : word;

/**
 * Renders a command to copy. Its lines break between words only, so that ids and addresses in it
 * stay whole, and a word that is wider than its box scrolls. No style for the whole text does that.
 */
export const renderCommand = (text: string): Html =>
  html`<pre class="command" tabindex="0"><code>${text.split(/(\s+)/).map(renderWord)}</code></pre>`;

/** Renders content that a reader opens when it is wanted. */
export const renderDetails = (summary: HtmlValue, content: HtmlValue): Html =>
  html`<details><summary>${summary}</summary>
${content}
</details>`;
