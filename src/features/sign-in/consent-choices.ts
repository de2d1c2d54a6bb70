import type { Credentials } from '../../kernel/callers/caller.ts';
import type { FormFields } from '../../kernel/operation/form.ts';
import type { Operation } from '../../kernel/operation/operation.ts';
import type { Call } from '../../kernel/pipeline/environment.ts';
import type { SignInAnswer } from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import { toLabel } from './client.rules.ts';
import { renderConsentPage } from './consent.page.ts';
import type { ConsentPage } from './consent-forms.page.ts';
import { createSignInGrant } from './create-sign-in-grant.ts';
import type { ConsentEnvironment, KnownRequest } from './read-request.ts';
import { buildRedirect, toFormTarget } from './redirects.rules.ts';
import { renderContinuePage } from './sign-in-outcome.page.ts';

/** Shows the consent page of a request. */
export const showPage = (
  { env }: ConsentEnvironment,
  { client, request }: KnownRequest,
  fields: FormFields,
  more: Pick<ConsentPage, 'problem' | 'registered'> = {},
  status = 200,
): SignInAnswer & { kind: 'page' } => ({
  kind: 'page',
  status,
  target: toFormTarget(request.redirect),
  render: (view) =>
    renderConsentPage(
      {
        client,
        redirect: request.redirect,
        scopes: request.scopes,
        fields,
        registration: env.installation.registration,
        ...more,
      },
      view,
    ),
});

/** Leads on to the client, by a link where the policy of the page cannot name its address. */
export const leadOn = (location: string): SignInAnswer =>
  toFormTarget(location) === null
    ? {
        kind: 'page',
        status: 200,
        target: null,
        leadsTo: location,
        render: () => renderContinuePage(location),
      }
    : { kind: 'redirect', location };

/** Grants what a person chose, with a key, and leads on. Errors: those of the operation. */
export async function allow(
  { env, execute }: ConsentEnvironment,
  { client, request }: KnownRequest,
  fields: FormFields,
  call: Call,
  credentials: Credentials,
): Promise<SignInAnswer> {
  const { redirect, state, scopes, challenge, resource } = request;
  const body = {
    clientId: client.clientId,
    label: toLabel(client, redirect),
    registered: client.documentHost === null,
    redirectUri: redirect,
    resource,
    scopes: scopes.filter((scope) => fields[`scope_${scope}`] === 'on'),
    challenge,
  };
  const result = await execute(createSignInGrant as unknown as Operation, {
    ...call,
    credentials,
    body,
  });
  const { code } = JSON.parse(String(result.body)) as { code: string };
  return leadOn(buildRedirect(redirect, env.installation.baseUrl, { code, state }));
}

/** Registers an agent, signs its person in, and shows the key with the rest of the page. */
export async function register(
  consent: ConsentEnvironment,
  known: KnownRequest,
  fields: FormFields,
  call: Call,
): Promise<SignInAnswer> {
  const { handle = '', registration } = fields;
  const result = await consent.registerAgent({
    ...call,
    credentials: {},
    body: {
      handle: handle.trim(),
      ...(registration !== undefined && { registrationToken: registration.trim() }),
    },
  });
  const { agent, apiKey } = JSON.parse(String(result.body)) as {
    agent: { handle: string };
    apiKey: string;
  };
  return {
    ...showPage(consent, known, fields, { registered: { handle: agent.handle, apiKey } }),
    session: { key: apiKey, visitor: { name: `@${agent.handle}`, administrator: false } },
  };
}
