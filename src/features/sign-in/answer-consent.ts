import { toCredentials } from '../../kernel/callers/caller.ts';
import { StoaError } from '../../kernel/errors.ts';
import type { FormFields } from '../../kernel/operation/form.ts';
import type { Wording } from '../../kernel/operation/operation-references.ts';
import type { Call } from '../../kernel/pipeline/environment.ts';
import type { SignInAnswer } from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import { allow, leadOn, register, showPage } from './consent-choices.ts';
import { type ConsentEnvironment, type KnownRequest, readRequest } from './read-request.ts';
import { buildRedirect } from './redirects.rules.ts';
import { pickRequest } from './request.rules.ts';
import { fault } from './rules.ts';

/** Shows the page on which a person consents. An address fills in nothing of its forms. */
export async function showConsent(
  consent: ConsentEnvironment,
  fields: FormFields,
  address: string,
): Promise<SignInAnswer> {
  const known = await readRequest(consent, fields, address);
  return 'kind' in known ? known : showPage(consent, known, pickRequest(fields));
}

/** Describes an error to a person who filled in the form. */
const describeError = ({ code, detail }: { code: string; detail: string }, wording: Wording) =>
  code === 'invalid_credential' || code === 'unauthenticated'
    ? 'No such key works here. Check that you copied all of it.'
    : wording(detail);

async function decide(
  consent: ConsentEnvironment,
  known: KnownRequest,
  fields: FormFields,
  call: Call,
): Promise<SignInAnswer> {
  const { redirect, state } = known.request;
  switch (fields.decision) {
    case 'key':
      return allow(consent, known, fields, call, toCredentials((fields.key ?? '').trim()));
    case 'session':
      return allow(consent, known, fields, call, call.visitor ? call.credentials : {});
    case 'register':
      return register(consent, known, fields, call);
    case 'deny':
      return leadOn(
        buildRedirect(redirect, consent.env.installation.baseUrl, {
          ...fault('access_denied', 'The person refused.'),
          state,
        }),
      );
    default:
      return showPage(consent, known, fields, {}, 400);
  }
}

/** Carries out what a person chose on the page. An error is shown on the page again. */
export async function answerConsent(
  consent: ConsentEnvironment,
  fields: FormFields,
  call: Call,
): Promise<SignInAnswer> {
  const known = await readRequest(consent, fields, call.address);
  if ('kind' in known) return known;
  try {
    return await decide(consent, known, fields, call);
  } catch (error) {
    if (!(error instanceof StoaError)) throw error;
    const problem = {
      detail: describeError({ code: error.code, detail: error.message }, consent.wording),
    };
    return showPage(consent, known, fields, { problem }, error.status);
  }
}
