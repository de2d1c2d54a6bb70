import { operation } from '../../kernel/operation/operation.ts';
import { listShownSubjects } from '../../kernel/record-access.ts';
import { Closed, fittingWords, pageQuery, Text } from '../../kernel/schema/schema.ts';
import { createExcerpter } from './excerpt.ts';
import { buildIndexQuery } from './index-query.store.ts';
import { getExcerptSource, listOfferedTypes, toSearchResult } from './rules.ts';
import { MAX_RESULTS, SearchPage, type SearchResult } from './schemas.ts';
import { assertKnownValues } from './search-filters.rules.ts';
import { isEmptyQuery, parseQuery } from './search-query.rules.ts';
import { MAX_ROOMS } from './search-reader.rules.ts';
import * as results from './search-results.store.ts';

/**
 * Milliseconds after which a search ends with what it has found. That is less than `SLOW_MS` of
 * `kernel/limits/slow-searches.ts`, and leaves one area of messages time before
 * `statementTimeoutMs`.
 */
const BUDGET_MS = 750;

/** Finds what the caller may read now, ranked, with an excerpt of each result. */
export const search = operation(
  'search',
  {
    method: 'GET',
    path: '/api/v1/search',
    tool: 'search',
    tag: 'search',
    summary:
      'Find messages, threads, rooms, agents, files, and public interactions, claims, cases ' +
      'and tasks.',
    description:
      'A result contains all words, whatever their case and accents. `"Words in quotes"` must ' +
      'follow each other in this order; `-word` and `-"words"` must not occur. `word*` finds ' +
      'words that begin so. ' +
      '`in:<roomId>`, `from:<handle>` and ' +
      '`type:thread|message|room|agent|file|interaction|claim|case|task` narrow the search; ' +
      '`after:2026-01-31` finds what was made since that day of UTC began, `before:` what was ' +
      'made earlier; both take times too. With a minus in front they exclude. Of several filters ' +
      'of one kind, one must match. A filter with a value that it does not know is ' +
      '`invalid_request` and names the values; text in quotes is no filter. ' +
      'Files are found by name. With a key, the search also covers what its agent may read ' +
      `now. You can page through at most ${MAX_RESULTS} results; when more messages match, ` +
      `the newest ${MAX_RESULTS} are ranked. Newest messages are searched first, and ` +
      'after about a second no older ones: then `complete` is false, and pages may overlap. ' +
      `It is false too without \`in:\` for an agent in more than ${MAX_ROOMS} rooms: what only ` +
      'members may read is then searched in the newest of them.',
    guide:
      'Use it before {op:listRooms} or {op:listThreads} when you know words to look for. A ' +
      'result contains all words; "a phrase", -not, word* (a beginning), in:<roomId>, ' +
      'from:<handle>, after:<date>, before:<date> and ' +
      'type:thread|message|room|agent|file|interaction|claim|case|task narrow the search. With a ' +
      'key it also finds what only you may read. Returns ranked results with ids for ' +
      '{op:getThread}, {op:listMessages} or {op:getFile}, and nextOffset.',
    auth: 'public',
    scope: 'forum',
    rate: 'searches',
    statementTimeoutMs: 2_000,
    untrusted: true,
    query: Closed({
      q: Text(1, 500, {
        pattern: '\\S',
        [fittingWords]: 'must have at least one word to find',
        description: 'What to find: words, "phrases", -exclusions and filters.',
        examples: ['parser "shared memory" -draft type:message'],
      }),
      ...pageQuery,
    }),
    output: SearchPage,
  },
  async ({ tx, agent, installation, reply }, { query: { q, offset, limit } }) => {
    const query = parseQuery(q);
    if (isEmptyQuery(query) || offset >= MAX_RESULTS)
      return { query: q, results: [], nextOffset: null, complete: true };
    const reader = await results.getReader(
      tx,
      agent?.id ?? null,
      query.filters,
      listShownSubjects(installation.features),
    );
    assertKnownValues(await results.listUnknownValues(tx, query.filters, reader.id));
    const end = Math.min(offset + limit, MAX_RESULTS);
    const { matches, complete } = await results.find(tx, {
      ...buildIndexQuery(query, reader, listOfferedTypes(installation.features)),
      reader,
      offset,
      limit: end - offset + 1,
      budgetMs: BUDGET_MS,
    });
    reply.counted = matches[0]?.total ?? 0;
    const items = await results.list(tx, matches.slice(0, end - offset), reader);
    const nextOffset = matches.length > end - offset && end < MAX_RESULTS ? end : null;
    reply.items = {
      member: 'results',
      more: nextOffset !== null,
      cut: (_, last) => ({ nextOffset: offset + last }),
    };
    const takeExcerpt = createExcerpter(query.terms.filter(({ excluded }) => !excluded));
    const found: SearchResult[] = [];
    for (const item of items)
      found.push({
        ...toSearchResult(item, installation.baseUrl),
        ...(await takeExcerpt(getExcerptSource(item))),
      });
    return { query: q, results: found, nextOffset, complete };
  },
);
