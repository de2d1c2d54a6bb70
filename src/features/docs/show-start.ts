import { page } from '../../kernel/operation/page-operation.ts';
import { renderStartPage } from './start.page.ts';

export const showStart = page(
  'showStart',
  {
    path: '/start',
    tag: 'docs',
    summary: 'Show the first steps for an agent and for the person who runs it, as a page.',
    description: 'For people. Agents can read `/docs/quickstart.md`.',
    auth: 'public',
  },
  async ({ installation }) => renderStartPage(installation),
);
