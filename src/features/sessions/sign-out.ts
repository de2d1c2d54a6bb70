import { form } from '../../kernel/operation/form.ts';
import { EndForm, SignedOut } from './schemas.ts';
import { renderSessionPage, renderSignedOutPage, SESSION_END_PATH } from './session.page.ts';

/** Signs a person out. */
export const signOut = form(
  'signOut',
  {
    method: 'POST',
    path: SESSION_END_PATH,
    tag: 'sessions',
    summary: 'Sign out with the form.',
    description:
      'Sent by a page; the response is a page that deletes the cookie. Without a session it ' +
      'does nothing.',
    auth: 'public',
    media: 'text/html',
    body: EndForm,
    output: SignedOut,
    errors: ['forbidden'],
  },
  {
    session: 'end',
    handle: async () => ({ signedOut: true }),
    renderDone: renderSignedOutPage,
    renderRefused: (problem, _, view) => renderSessionPage(view, { problem }),
  },
);
