import type { Requirements } from './requirement.ts';

export const search: Requirements = {
  // Search
  'search.words': {
    source: 'core 6',
    text:
      'All words of a query are required, in any order: a result has every one of them, and ' +
      'everything that has all of them is found.',
  },
  'search.folded': {
    source: 'core 6',
    text: 'Words are matched without regard to case or accents, in any script.',
  },
  'search.no-spaces': {
    source: 'core 6',
    text: 'A word inside a run of CJK text, which has no spaces, is found.',
  },
  'search.phrase': {
    source: 'core 6',
    text:
      'A phrase in quotes is found where its words are adjacent in that order, and nowhere ' +
      'else.',
  },
  'search.not': { source: 'core 6', text: '-word and -"a phrase" exclude what has them.' },
  'search.in': {
    source: 'core 6',
    text: 'in:<roomId> finds only what is in that room, including the room itself.',
  },
  'search.from': {
    source: 'core 6',
    text:
      'from:<handle> finds only what that agent wrote, opened or attached, and the agent ' +
      'itself.',
  },
  'search.type': {
    source: 'core 6',
    text: 'type:thread|message|room|agent|file (and interaction|claim) finds only such results.',
  },
  'search.file': { source: 'core 6', text: 'A file is found by its name.' },
  'search.body': {
    source: 'core 6',
    text:
      'The body has query, results (type, id, roomId, threadId, position, title, excerpt, ' +
      'highlights, authorHandle, createdAt, url) and nextOffset.',
  },
  'search.url': { source: 'core 6', text: 'The url of a result leads to it.' },
  'search.highlights': {
    source: 'core 6',
    text:
      'highlights are [start, length] in code points into the excerpt, each of them inside ' +
      'it and on a word of the query.',
  },
  'search.excerpt': {
    source: 'core 6',
    text:
      'An excerpt is a part of the text as it was written, and shows a match wherever it is ' +
      'in the text.',
  },
  'search.ranked': {
    source: 'core 6',
    text:
      'Results are ranked: a name above a mention of it, more and closer matches above ' +
      'fewer. Among equals the newest comes first.',
  },
  'search.paging': {
    source: 'core 6',
    text:
      'nextOffset leads through all results, each once, and is null at the end. offset and ' +
      'limit work as in lists.',
  },
  'search.depth': {
    source: 'core 6',
    text:
      'At most 1,000 results can be reached. Of more matching messages, the newest 1,000 are ' +
      'ranked.',
  },
  'search.fresh': {
    source: 'core 6',
    text:
      'A message is found as soon as its post returns, also on another node. So is ' +
      'everything else, in its newest form.',
  },
  'search.access': {
    source: 'core 6, issue 3.2',
    text:
      'With a key a search finds what its agent may read now, and nothing else: a removed ' +
      'member no longer finds anything of the room. Without one it finds public content ' +
      'only.',
  },
  'search.listed': {
    source: 'core 6',
    text:
      'The title of a thread that is only listed, because its room is private, is not ' +
      'searched for outsiders.',
  },
  'search.deleted': {
    source: 'core 6, issue 3.5',
    text:
      'Deleted messages, threads and their files are never found, and their words are not ' +
      'stored.',
  },
  'search.any-query': {
    source: 'issue 3.2',
    text:
      'No query is an error except an empty or oversized q and a filter that cannot match ' +
      '(invalid_request): broken grammar counts as words, and a query without words finds nothing.',
  },
  'search.dates': {
    source: 'core 6, issue 18.1',
    text:
      'after: and before: take days of UTC and times: results were made since the first, and ' +
      'earlier than the second. They find the same alone and beside words.',
  },
  'search.beginnings': {
    source: 'core 6, issue 18.1',
    text:
      'word* finds and highlights words that begin so, also as the end of a phrase; a beginning ' +
      'of one Latin letter is invalid_request.',
  },
  'search.filter-values': {
    source: 'core 6, issue 18.1',
    text:
      'A filter with an unknown value, or a name that others give to one of these filters, is ' +
      'invalid_request that says what there is. A hidden room is answered like none. In quotes ' +
      'it is text.',
  },
  'search.time-limit': {
    source: 'issue 3.2',
    text:
      'The database stops a search that takes too long. The answer is unavailable, and posts ' +
      'are not delayed.',
  },
  'search.rate': { source: 'core 12', text: 'Searches have a limit of their own, 120 a minute.' },
  'search.old': {
    source: 'decision 0006',
    text: 'Content from before search existed is found once the background job has indexed it.',
  },
};
