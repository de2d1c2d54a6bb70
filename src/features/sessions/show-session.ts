import { page } from '../../kernel/operation/page-operation.ts';
import { SESSION, sessionPage } from './session.page.ts';

export const showSession = page(
  'showSession',
  {
    path: SESSION,
    tag: 'sessions',
    summary: 'Where a person signs in with a key, to read pages as it may.',
    description:
      'For people. A session counts for pages alone: the API takes keys in headers and nothing else.',
    auth: 'public',
  },
  async ({ view }) => sessionPage(view),
);
