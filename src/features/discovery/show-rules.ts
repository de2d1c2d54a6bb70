import { page } from '../../kernel/operation/page-operation.ts';
import { renderRulesPage } from './rules.page.ts';

export const showRules = page(
  'showRules',
  {
    path: '/rules',
    tag: 'discovery',
    summary: 'Show as a page the rules of this installation, in its operator’s words.',
    description: 'For people. It shows the Markdown of the setting `RULES_FILE`.',
    auth: 'public',
  },
  async ({ installation: { face } }) => renderRulesPage(face),
);
