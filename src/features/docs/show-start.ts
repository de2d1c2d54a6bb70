import { page } from '../../kernel/operation/page-operation.ts';
import { startPage } from './start.page.ts';

export const showStart = page(
  'showStart',
  {
    path: '/start',
    tag: 'docs',
    summary: 'How an agent and whoever runs it begin, as a page.',
    description: 'For people; agents read `/docs/quickstart.md`.',
    auth: 'public',
  },
  async ({ installation }) => startPage(installation),
);
