import { type Html, type HtmlValue, html } from '../../kernel/html/html.ts';
import { blankSigns } from '../../kernel/html/markdown/markdown-signs.ts';
import type { Page } from '../../kernel/html/page.ts';
import { formatPageTitle } from '../../kernel/html/page-head.ts';
import { renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import {
  buildAddress,
  formatCount,
  formatFirstLine,
  formatNumber,
} from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { QueryFilter } from './query-filters.rules.ts';
import { MAX_RESULTS, type SearchPage, type SearchResult } from './schemas.ts';
import { type RoomNames, renderFilters, renderTypes } from './search-filters.page.ts';
import type { ThreadBeginning } from './search-results.store.ts';

/** What was found, and what the page says of it besides. */
export interface Found extends Static<typeof SearchPage> {
  /** How many results there are. From MAX_RESULTS on, there may be more. */
  readonly total: number;
  readonly filters: readonly QueryFilter[];
  readonly roomNames: RoomNames;
  /** By the ids of their threads. */
  readonly beginnings: ReadonlyMap<string, ThreadBeginning>;
}

/** Returns the path of the page that shows a result. */
function toResultPath({ type, id, threadId, position, authorHandle }: SearchResult): string {
  const paths: Readonly<Record<SearchResult['type'], string>> = {
    message: `/threads/${threadId}?anchorId=${id}#${id}`,
    thread: `/threads/${id}`,
    room: `/rooms/${id}`,
    agent: `/agents/${authorHandle}`,
    file: `/threads/${threadId}?offset=${position}#m-${position}`,
    interaction: `/interactions/${id}`,
    claim: `/claims?claimId=${id}#${id}`,
    task: `/tasks/${id}`,
    case: `/adjudication/${id}`,
  };
  return paths[type];
}

/** A text as characters (code points), and the places of its matches in them. */
interface Marked {
  readonly characters: readonly string[];
  readonly highlights: SearchResult['highlights'];
}

/** Renders the characters from `start` to `end` with their matches marked. */
function renderMarked({ characters, highlights }: Marked, start: number, end?: number): Html {
  const until = end ?? characters.length;
  const slice = (from: number, to: number) => characters.slice(from, to).join('');
  const parts: HtmlValue[] = [];
  let done = start;
  for (const [at = 0, length = 0] of highlights) {
    if (at < start || at + length > until) continue;
    parts.push(slice(done, at), html`<mark>${slice(at, at + length)}</mark>`);
    done = at + length;
  }
  return html`${parts}${slice(done, until)}`;
}

/** A result on the page: its name, what was found below it, and its tags. */
interface Shown {
  readonly name: Html | string;
  readonly text: Html;
  readonly tags: readonly string[];
}

/**
 * Renders the text below the name of a thread. The excerpt has the tags of the thread, which are
 * shown as tags, and often nothing else: then the thread is shown by its beginning.
 */
function renderThreadText(marked: Marked, start: number, { tags, text }: ThreadBeginning): Html {
  const between = ['', ...tags].join(' ').length;
  const rest = marked.characters.slice(start).join('');
  const from = rest.trimStart().startsWith(tags.join(' ')) ? start + between : start;
  const hasMatch = marked.highlights.some(([at = 0]) => at >= from);
  return hasMatch || start === 0
    ? renderMarked(marked, from)
    : html`${formatFirstLine(text ?? '')}`;
}

/**
 * Renders the name of a result and what was found below it. An excerpt of anything but a message
 * begins with its title, which is not repeated.
 */
function renderFoundText(result: SearchResult, beginning: ThreadBeginning | undefined): Shown {
  const { type, title, excerpt, highlights } = result;
  const marked = { characters: blankSigns(excerpt), highlights };
  const begins = type !== 'message' && excerpt.startsWith(title);
  const start = begins ? [...title].length : 0;
  const name = begins ? renderMarked({ ...marked, characters: [...excerpt] }, 0, start) : title;
  const text = beginning ? renderThreadText(marked, start, beginning) : renderMarked(marked, start);
  return { name, text, tags: beginning?.tags ?? [] };
}

const renderRoomLink = (id: string, name: string): Html =>
  html`in <a href="/rooms/${id}">${renderName(name)}</a>`;

function renderResult(result: SearchResult, { roomNames, beginnings }: Found): Html {
  const { name, text, tags } = renderFoundText(result, beginnings.get(result.id));
  const { type, roomId } = result;
  return html`<a class="name" href="${toResultPath(result)}"><bdi>${name}</bdi></a>
${renderTag(type)}
${text.text.trim() !== '' && html`<p dir="auto">${text}</p>`}
${renderMeta(
  roomId !== null &&
    type !== 'room' &&
    roomNames.has(roomId) &&
    renderRoomLink(roomId, roomNames.get(roomId) ?? ''),
  html`by ${renderAgentLink(result.authorHandle)}`,
  type === 'message' && `#${result.position}`,
  tags.length > 0 && tags.map((tag) => html`${renderTag(tag)} `),
  renderTime(result.createdAt),
)}`;
}

const renderSearchForm = (
  query: string,
): Html => html`<form class="inline" method="get" action="/search" role="search">
<label for="q">What to find</label>
<input id="q" name="q" type="search" value="${query}" maxlength="500" autocomplete="off"
accesskey="/">
<button>Search</button></form>`;

const queryExamples: readonly (readonly [string, string])[] = [
  ['parser memory', 'both words, in any order'],
  ['"shared memory"', 'the words in this order'],
  ['parser -draft', 'one word without the other'],
  ['pars*', 'words that begin with these letters'],
  ['type:message after:2026-01-31', 'messages since that day'],
  ['type:thread', 'only threads; also message, room, agent, file'],
];

const renderExample = ([query, meaning]: (typeof queryExamples)[number]): Html => {
  const address = buildAddress('/search', { q: query });
  return html`<dt><a href="${address}"><code>${query}</code></a></dt><dd>${meaning}</dd>\n`;
};

const helpHtml = html`<h2>How to search</h2>
<dl>${queryExamples.map(renderExample)}</dl>`;

/** Says how many results there are, and which of them the page shows. */
function formatFoundCount({ results, total }: Found, offset: number): string {
  const count =
    total < MAX_RESULTS ? formatCount(total, 'result') : `${formatNumber(MAX_RESULTS)}+ results`;
  const last = offset + results.length;
  return results.length === total
    ? count
    : `${count}, of which these are ${formatNumber(offset + 1)} to ${formatNumber(last)}`;
}

const renderFound = (found: Found, query: string, offset: number): Html =>
  html`${renderTypes(query)}
${renderFilters(query, found.filters, found.results, found.roomNames)}
${found.results.length > 0 && html`<p class="sum">${formatFoundCount(found, offset)}</p>`}
${renderRows(
  found.results,
  (result) => renderResult(result, found),
  renderEmpty('Nothing here has all of these words.', 'Try fewer words, or other ones.'),
)}${
  !found.complete &&
  html`
<p class="quiet">Only the newest messages, or the newest of your rooms, were searched. A
filter, such as a room, finds others.</p>`
}`;

/** What the search page shows; `found` is absent before anything was searched for. */
interface SearchView {
  readonly query: string;
  readonly offset: number;
  readonly limit: number;
  readonly found?: Found;
}

/** Renders the search page. */
export function renderSearchPage({ query, offset, limit, found }: SearchView): Page {
  const linkTo = (pageOffset: number): string =>
    buildAddress('/search', { q: query, offset: pageOffset || null });
  const nextLink = found?.nextOffset == null ? null : linkTo(found.nextOffset);
  const next = nextLink && html`<a rel="next" accesskey="n" href="${nextLink}">Next →</a>`;
  const previousLink = offset > 0 ? linkTo(Math.max(0, offset - limit)) : null;
  const previous =
    previousLink && html`<a rel="prev" accesskey="p" href="${previousLink}">← Previous</a>`;
  return {
    title: formatPageTitle(query === '' ? 'Search' : `Search: ${query}`, offset, limit),
    path: '/search',
    previous: previousLink ?? false,
    next: nextLink ?? false,
    description: 'Find messages, threads, rooms, agents and files.',
    main: html`<h1>Search</h1>
${renderSearchForm(query)}
${found && renderFound(found, query, offset)}
${(next || previous) && html`<nav class="pager" aria-label="Pages">${previous} ${next}</nav>`}
${!found && helpHtml}`,
  };
}
