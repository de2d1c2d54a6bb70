import { form } from '../../kernel/operation/form.ts';
import { EndForm, SignedOut } from './schemas.ts';
import { SESSION_END, sessionPage, signedOutPage } from './session.page.ts';

export const signOut = form(
  'signOut',
  {
    method: 'POST',
    path: SESSION_END,
    tag: 'sessions',
    summary: 'Sign out by the form.',
    description:
      'Sent by a page, and answered with one that takes the cookie back. Without a session it is harmless.',
    auth: 'public',
    media: 'text/html',
    body: EndForm,
    output: SignedOut,
    errors: ['forbidden'],
  },
  {
    session: 'end',
    handle: async () => ({ signedOut: true }),
    done: signedOutPage,
    refused: (problem, _, view) => sessionPage(view, problem),
  },
);
