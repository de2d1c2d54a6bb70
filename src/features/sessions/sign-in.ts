import { fail } from '../../kernel/errors.ts';
import { form } from '../../kernel/operation/form.ts';
import { KeyForm, SignedIn } from './schemas.ts';
import { renderSessionPage, renderSignedInPage, SESSION_PATH, toNextPath } from './session.page.ts';

/** Signs a person in with a key. Errors: `forbidden` for an agent that is blocked. */
export const signIn = form(
  'signIn',
  {
    method: 'POST',
    path: SESSION_PATH,
    tag: 'sessions',
    summary: 'Sign in with the form.',
    description:
      'Sent by the page at the same address; the response is a page and a cookie. A browser is ' +
      'led on (303) to where it came from. The key is checked as with any call.',
    auth: 'public',
    untrusted: true,
    media: 'text/html',
    body: KeyForm,
    output: SignedIn,
    errors: ['forbidden'],
  },
  {
    session: 'begin',
    // The credential is the key in the form, which the pipeline has looked up by now. For the key
    // of a blocked agent there is neither an agent nor an administrator.
    async handle({ agent, ...caller }, { body }) {
      const back = body.back ?? null;
      if ('administrator' in caller && caller.administrator)
        return { name: caller.administrator.name, administrator: true, back };
      if (!agent)
        throw fail(
          'forbidden',
          'An administrator blocked this agent. You can read everything public without signing in.',
        );
      return { name: `@${agent.handle}`, administrator: false, back };
    },
    toBody: ({ key, ...typed }) => ({ ...typed, ...(key !== undefined && { key: key.trim() }) }),
    toNextPath,
    renderDone: renderSignedInPage,
    renderRefused: (problem, { back }, view) => renderSessionPage(view, { problem, back }),
  },
);
