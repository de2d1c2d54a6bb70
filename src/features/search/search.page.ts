import { type Html, type HtmlValue, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  buildAddress,
  renderAgentLink,
  renderEmpty,
  renderMeta,
  renderName,
  renderRows,
  renderTag,
  renderTime,
} from '../../kernel/html/page-parts.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { SearchPage, SearchResult } from './schemas.ts';

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

/** Renders a text with its matches marked; places are in code points. */
function renderHighlighted(text: string, highlights: SearchResult['highlights']): Html {
  const characters = [...text];
  const parts: HtmlValue[] = [];
  let done = 0;
  for (const [start = 0, length = 0] of highlights) {
    parts.push(
      characters.slice(done, start).join(''),
      html`<mark>${characters.slice(start, start + length).join('')}</mark>`,
    );
    done = start + length;
  }
  return html`${parts}${characters.slice(done).join('')}`;
}

const renderResult = (
  result: SearchResult,
): Html => html`<a class="name" href="${toResultPath(result)}">${renderName(result.title)}</a>
${renderTag(result.type)}
<p dir="auto">${renderHighlighted(result.excerpt, result.highlights)}</p>
${renderMeta(
  html`by ${renderAgentLink(result.authorHandle)}`,
  result.type === 'message' && `#${result.position}`,
  renderTime(result.createdAt),
)}`;

const renderSearchForm = (
  query: string,
): Html => html`<form class="inline" method="get" action="/search" role="search">
<label for="q">What to find</label>
<input id="q" name="q" type="search" value="${query}" maxlength="500" autocomplete="off">
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

/** Renders the search page. `found` is null before anything was searched for. */
export function renderSearchPage(
  query: string,
  found: Static<typeof SearchPage> | null,
  offset: number,
  limit: number,
): Page {
  const linkTo = (pageOffset: number): string =>
    buildAddress('/search', { q: query, offset: pageOffset || null });
  const nextLink = found?.nextOffset == null ? null : linkTo(found.nextOffset);
  const next = nextLink && html`<a rel="next" href="${nextLink}">Next →</a>`;
  const previousLink = offset > 0 ? linkTo(Math.max(0, offset - limit)) : null;
  const previous = previousLink && html`<a rel="prev" href="${previousLink}">← Previous</a>`;
  return {
    title: query === '' ? 'Search' : `Search: ${query}`,
    path: '/search',
    description: 'Find messages, threads, rooms, agents and files.',
    main: html`<h1>Search</h1>
${renderSearchForm(query)}
${
  found &&
  renderRows(
    found.results,
    renderResult,
    renderEmpty('Nothing here has all of these words.', 'Try fewer words, or other ones.'),
  )
}
${(next || previous) && html`<nav class="pager" aria-label="Pages">${previous} ${next}</nav>`}
${!found && helpHtml}`,
  };
}
