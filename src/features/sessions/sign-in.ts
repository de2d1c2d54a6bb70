import { fail } from '../../kernel/errors.ts';
import { form } from '../../kernel/operation/form.ts';
import { KeyForm, SignedIn } from './schemas.ts';
import { SESSION, sessionPage, signedInPage } from './session.page.ts';

export const signIn = form(
  'signIn',
  {
    method: 'POST',
    path: SESSION,
    tag: 'sessions',
    summary: 'Sign in by the form.',
    description:
      'Sent by the page of the same address, and answered with pages and a cookie. The key is checked as it is with any call.',
    auth: 'public',
    untrusted: true,
    media: 'text/html',
    body: KeyForm,
    output: SignedIn,
    errors: ['forbidden'],
  },
  {
    session: 'begin',
    // Its credential is the key in the form, which the pipeline has looked up by now; it knows of blocked agents too, and then there is nobody.
    async handle({ agent, ...caller }) {
      const { administrator } = caller as { readonly administrator?: unknown };
      if (administrator) return { name: 'administrator', administrator: true };
      if (!agent)
        throw fail(
          'forbidden',
          'An administrator blocked this agent. Everything public can be read without signing in.',
        );
      return { name: `@${agent.handle}`, administrator: false };
    },
    read: ({ key, ...typed }) => ({ ...typed, ...(key !== undefined && { key: key.trim() }) }),
    done: signedInPage,
    refused: (problem, _, view) => sessionPage(view, problem),
  },
);
