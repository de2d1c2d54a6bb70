import { expect, it } from 'vitest';
import { installation } from '../../../test/support/installation.ts';
import { html } from '../html/html.ts';
import { page, pageOfFacts } from './page-operation.ts';

/** Reads a page of facts four times and returns how often it was rendered. */
async function countRendered(caller: object): Promise<number> {
  let rendered = 0;
  const operation = page(
    'showFacts',
    { path: '/facts', tag: 'agents', summary: 'Facts.', description: 'Facts.', auth: 'public' },
    async () =>
      pageOfFacts({ what: 'a fact' }, ({ what }) => {
        rendered += 1;
        return { title: what, main: html`<h1>${what}</h1>` };
      }),
  );
  const context = { installation, visitor: null, agent: null, administrator: null, ...caller };
  for (let count = 0; count < 4; count++)
    await operation.find({ ...context, reply: {} } as never, {} as never);
  return rendered;
}

it('[pages.kept] facts are kept for strangers, and never those of a reader', async () => {
  expect(await countRendered({})).toBe(2);
  expect(await countRendered({ agent: { id: 'a' } })).toBe(4);
  expect(await countRendered({ administrator: { id: 'a' } })).toBe(4);
  expect(await countRendered({ visitor: { name: 'ada', token: 't' } })).toBe(4);
});
