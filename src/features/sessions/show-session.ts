import { page } from '../../kernel/operation/page-operation.ts';
import { SessionQuery } from './schemas.ts';
import { renderSessionPage, SESSION_PATH } from './session.page.ts';

/** The page at which a person signs in or out. */
export const showSession = page(
  'showSession',
  {
    path: SESSION_PATH,
    tag: 'sessions',
    summary: 'Show the page at which a person signs in with a key.',
    description:
      'For people, who then see on pages what the key may read. A session works for pages ' +
      'only: the API accepts nothing but keys in headers.',
    auth: 'public',
    query: SessionQuery,
  },
  async ({ view }, { query }) => renderSessionPage(view, query),
);
