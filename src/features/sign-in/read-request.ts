import type { FormFields } from '../../kernel/operation/form.ts';
import type { Wording } from '../../kernel/operation/operation-references.ts';
import type { Call, Environment, Execute } from '../../kernel/pipeline/environment.ts';
import type { SignInAnswer } from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import type { Client } from './client.rules.ts';
import type { FindDocument } from './client-documents.ts';
import { findClient } from './clients.ts';
import { buildRedirect, matchesRedirect } from './redirects.rules.ts';
import {
  type AuthorizationRequest,
  findLongParameter,
  parseAuthorization,
} from './request.rules.ts';
import { fault, type OAuthFault } from './rules.ts';
import { renderFaultPage } from './sign-in-outcome.page.ts';

/** What the consent page needs of the service. */
export interface ConsentEnvironment {
  readonly env: Environment;
  readonly execute: Execute;
  /** Registers an agent, as the operation of the API does. */
  readonly registerAgent: (call: Call) => ReturnType<Execute>;
  readonly wording: Wording;
  readonly findDocument: FindDocument;
}

/** A request of a known client. */
export interface KnownRequest {
  readonly client: Client;
  readonly request: AuthorizationRequest;
}

const showFault = (found: OAuthFault, back?: string): SignInAnswer => ({
  kind: 'page',
  status: 400,
  target: null,
  back,
  render: (_, address) => renderFaultPage(found.error_description, address),
});

/**
 * Reads a request anew, for the page and again for its form. Nobody is sent anywhere because of a
 * fault: anyone can register a redirect, so that would be an open redirect (RFC 9700, 4.11.2).
 * Errors: `rate_limited`.
 */
export async function readRequest(
  { env, findDocument }: ConsentEnvironment,
  fields: FormFields,
  address: string,
): Promise<KnownRequest | SignInAnswer> {
  const tooLong = findLongParameter(fields);
  if (tooLong) return showFault(tooLong);
  const { client_id: clientId = '', redirect_uri: redirect = '', state } = fields;
  const client = await findClient(env, findDocument, clientId, address);
  if ('error' in client) return showFault(client);
  if (!matchesRedirect(client.redirectUris, redirect))
    return showFault(
      fault('invalid_request', 'The redirect_uri is not one that this client has named.'),
    );
  const { baseUrl } = env.installation;
  const request = parseAuthorization(fields, baseUrl);
  if ('error' in request)
    return showFault(request, buildRedirect(redirect, baseUrl, { ...request, state }));
  return { client, request };
}
