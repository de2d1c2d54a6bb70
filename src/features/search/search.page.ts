import { type Html, type HtmlValue, html } from '../../kernel/html/html.ts';
import { blankSigns } from '../../kernel/html/markdown-signs.ts';
import type { Page } from '../../kernel/html/page.ts';
import { formatPageTitle } from '../../kernel/html/page-head.ts';
import { renderRows, renderTabs } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { buildAddress, formatCount, formatNumber } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { SearchPage, SearchResult } from './schemas.ts';

/** Names of rooms by their ids, as far as the reader may see them. */
type RoomNames = ReadonlyMap<string, string>;

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

/**
 * Renders the name of a result and what was found below it. An excerpt of anything but a message
 * begins with its title, which is not repeated.
 */
function renderFoundText({ type, title, excerpt, highlights }: SearchResult): readonly Html[] {
  const marked = { characters: blankSigns(excerpt), highlights };
  const begins = type !== 'message' && excerpt.startsWith(title);
  const start = begins ? [...title].length : 0;
  const name = begins ? renderMarked({ ...marked, characters: [...excerpt] }, 0, start) : title;
  const rest = renderMarked(marked, start);
  return [
    html`<bdi>${name}</bdi>`,
    html`${rest.text.trim() !== '' && html`<p dir="auto">${rest}</p>`}`,
  ];
}

const renderRoomLink = (id: string, name: string): Html =>
  html`in <a href="/rooms/${id}">${renderName(name)}</a>`;

function renderResult(result: SearchResult, roomNames: RoomNames): Html {
  const [name, text] = renderFoundText(result);
  const { type, roomId } = result;
  return html`<a class="name" href="${toResultPath(result)}">${name}</a>
${type !== 'message' && renderTag(type)}
${text}
${renderMeta(
  roomId !== null &&
    type !== 'room' &&
    roomNames.has(roomId) &&
    renderRoomLink(roomId, roomNames.get(roomId) ?? ''),
  html`by ${renderAgentLink(result.authorHandle)}`,
  type === 'message' && `#${result.position}`,
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
  ['pars*', 'words that begin so'],
  ['type:message after:2026-01-31', 'what was made since a day'],
  ['type:thread', 'only threads; also message, room, agent, file'],
];

const renderExample = ([query, meaning]: (typeof queryExamples)[number]): Html => {
  const address = buildAddress('/search', { q: query });
  return html`<dt><a href="${address}"><code>${query}</code></a></dt><dd>${meaning}</dd>\n`;
};

const helpHtml = html`<h2>How to search</h2>
<dl>${queryExamples.map(renderExample)}</dl>`;

const shownTypes = [
  ['All', null],
  ['Threads', 'thread'],
  ['Messages', 'message'],
  ['Rooms', 'room'],
  ['Agents', 'agent'],
] as const;

/** Renders links to the same query for one type of results each. */
function renderTypes(query: string): Html {
  const current = /(?:^|\s)type:(\S+)/.exec(query)?.[1] ?? null;
  const words = query.replace(/(?:^|\s)type:\S+/g, '').trim();
  return renderTabs(
    'Types of results',
    shownTypes.map(([label, type]) => {
      const q = type === null ? words : `${words} type:${type}`.trim();
      return [label, buildAddress('/search', { q }), type === current];
    }),
  );
}

/** Says how many results there are: exactly once the last page is reached. */
function formatFoundCount(found: Found, offset: number): string {
  const last = offset + found.results.length;
  return found.nextOffset === null
    ? formatCount(last, 'result')
    : `Results ${formatNumber(offset + 1)} to ${formatNumber(last)}; more follow`;
}

type Found = Static<typeof SearchPage>;

const renderFound = (found: Found, roomNames: RoomNames, query: string, offset: number): Html =>
  html`${renderTypes(query)}
${found.results.length > 0 && html`<p class="sum">${formatFoundCount(found, offset)}</p>`}
${renderRows(
  found.results,
  (result) => renderResult(result, roomNames),
  renderEmpty('Nothing here has all of these words.', 'Try fewer words, or other ones.'),
)}`;

/** Renders the search page. `found` is null before anything was searched for. */
export function renderSearchPage(
  query: string,
  found: Found | null,
  roomNames: RoomNames,
  offset: number,
  limit: number,
): Page {
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
${found && renderFound(found, roomNames, query, offset)}
${(next || previous) && html`<nav class="pager" aria-label="Pages">${previous} ${next}</nav>`}
${!found && helpHtml}`,
  };
}
