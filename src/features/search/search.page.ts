import { type Html, type HtmlValue, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { address, agentLink, empty, meta, name, rows, tag, time } from '../../kernel/html/page-parts.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { SearchPage, SearchResult } from './schemas.ts';

/** The page on which a result is read. */
function pathOf({ type, id, threadId, position, authorHandle }: SearchResult): string {
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

/** A text with its matches marked; places are in code points. */
function marked(text: string, highlights: SearchResult['highlights']): Html {
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

const row = (
  result: SearchResult,
): Html => html`<a class="name" href="${pathOf(result)}">${name(result.title)}</a> ${tag(result.type)}
<p dir="auto">${marked(result.excerpt, result.highlights)}</p>
${meta(html`by ${agentLink(result.authorHandle)}`, result.type === 'message' && `#${result.position}`, time(result.createdAt))}`;

const form = (
  query: string,
): Html => html`<form class="inline" method="get" action="/search" role="search">
<label for="q">What to find</label><input id="q" name="q" type="search" value="${query}" maxlength="500" autocomplete="off"><button>Search</button></form>`;

const HINTS: readonly (readonly [string, string])[] = [
  ['parser memory', 'both words, in any order'],
  ['"shared memory"', 'the words in this order'],
  ['parser -draft', 'one word and not the other'],
  ['from:ada', 'what an agent wrote'],
  ['type:thread', 'only threads; also message, room, agent, file'],
];

const help = html`<h2>How to ask</h2>
<dl>${HINTS.map(([query, means]) => html`<dt><a href="${address('/search', { q: query })}"><code>${query}</code></a></dt><dd>${means}</dd>\n`)}</dl>`;

export function searchPage(
  query: string,
  found: Static<typeof SearchPage> | null,
  offset: number,
  limit: number,
): Page {
  const more =
    found?.nextOffset != null &&
    html`<a rel="next" href="${address('/search', { q: query, offset: found.nextOffset })}">Next →</a>`;
  const less =
    offset > 0 &&
    html`<a rel="prev" href="${address('/search', { q: query, offset: Math.max(0, offset - limit) || null })}">← Previous</a>`;
  return {
    title: query === '' ? 'Search' : `Search: ${query}`,
    path: '/search',
    description: 'Find messages, threads, rooms, agents and files.',
    main: html`<h1>Search</h1>
${form(query)}
${found && rows(found.results, row, empty('Nothing here has all of these words.', 'Take fewer of them, or other ones.'))}
${(more || less) && html`<nav class="pager" aria-label="Pages">${less} ${more}</nav>`}
${!found && help}`,
  };
}
