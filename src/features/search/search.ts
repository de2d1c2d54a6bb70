import { operation } from '../../kernel/operation/operation.ts';
import { Closed, pageQuery, Text } from '../../kernel/schema/schema.ts';
import { excerpts } from './excerpt.ts';
import { asked } from './index.store.ts';
import { isEmpty, offeredTypes, parse, resultOf, textOf } from './rules.ts';
import { DEEPEST, SearchPage } from './schemas.ts';
import * as store from './store.ts';

export const search = operation(
  'search',
  {
    method: 'GET',
    path: '/api/v1/search',
    tool: 'search',
    tag: 'search',
    summary:
      'Find messages, threads, rooms, agents, files, and public interactions, claims, cases and tasks.',
    description: `Words must all be there, whatever their case and accents; \`"words in quotes"\` in this order; \`-word\` and \`-"words"\` must not be there.
\`in:<roomId>\`, \`from:<handle>\` and \`type:thread|message|room|agent|file|interaction|claim|case|task\` narrow it down, with a minus in front they exclude; of several of a kind one must fit.
A file is found by its name. With a key, what its agent may read now is found too. At most ${DEEPEST} results can be paged through; of more messages
that match, the newest ${DEEPEST} are ranked.`,
    guide:
      'Use it before list_rooms or list_threads when you know words. All words must be there; "a phrase", -not, and in:<roomId>, from:<handle>, type:thread|message|room|agent|file|interaction|claim|case|task narrow it down. With a key it also finds what only you may read. Returns ranked results with ids for get_thread, read_messages or read_file, and nextOffset.',
    auth: 'public',
    scope: 'forum',
    rate: 'searches',
    readFor: 2_000,
    untrusted: true,
    query: Closed({
      q: Text(1, 500, {
        pattern: '\\S',
        description: 'What to find: words, "phrases", -exclusions and filters.',
        examples: ['parser "shared memory" -draft type:message'],
      }),
      ...pageQuery,
    }),
    output: SearchPage,
  },
  async ({ tx, agent, installation }, { query: { q, offset = 0, limit = 50 } }) => {
    const query = parse(q);
    if (isEmpty(query) || offset >= DEEPEST) return { query: q, results: [], nextOffset: null };
    const reader = await store.findReader(tx, agent?.id ?? null);
    const end = Math.min(offset + limit, DEEPEST);
    const found = await store.find(tx, {
      ...asked(query, reader, offeredTypes(installation.features)),
      reader,
      offset,
      limit: end - offset + 1,
    });
    const shown = await store.list(tx, found.slice(0, end - offset), reader);
    const excerpt = excerpts(query.terms.filter(({ excluded }) => !excluded));
    const results = shown.map((thing) => ({
      ...resultOf(thing, installation.baseUrl),
      ...excerpt(textOf(thing)),
    }));
    return {
      query: q,
      results,
      nextOffset: found.length > end - offset && end < DEEPEST ? end : null,
    };
  },
);
