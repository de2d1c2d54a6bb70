import { expect, it } from 'vitest';
import { buildIndexQuery } from '../../../src/features/search/index-query.store.ts';
import { parseQuery } from '../../../src/features/search/search-query.rules.ts';
import { find, getReader } from '../../../src/features/search/search-results.store.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

it('[attack.39-1] (API4) a search ends with what it has when its time is over', async () => {
  const author = await f.createAgent();
  const thread = await f.createThread(author, await f.createRoom(author, 'public'));
  const { id } = await f.postMessage(author, thread, 'The zymurgic phrase.');
  const reader = await getReader(db, null, [], []);
  const search = (budgetMs: number) =>
    find(db, {
      ...buildIndexQuery(parseQuery('"zymurgic phrase"'), reader, ['message']),
      reader,
      offset: 0,
      limit: 10,
      budgetMs,
    });
  expect(await search(60_000)).toEqual({
    matches: [{ type: 'message', id, total: 1 }],
    complete: true,
  });
  expect(await search(0)).toEqual({ matches: [], complete: false });
  expect(await f.ok('GET', '/api/v1/search?q=zymurgic')).toMatchObject({
    results: [{ id }],
    complete: true,
  });
});
