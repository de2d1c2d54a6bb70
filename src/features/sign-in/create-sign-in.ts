import type { SignInProtocol } from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import { findMissingCapability, scopes } from '../../kernel/scopes.ts';
import { answerConsent, showConsent } from './answer-consent.ts';
import { createClientDocuments } from './client-documents.ts';
import { registerClient } from './clients.ts';
import { CONSENT_PATH } from './consent-forms.page.ts';
import type { ConsentEnvironment } from './read-request.ts';
import { buildResource } from './request.rules.ts';
import { giveTokens, revokeToken } from './tokens.ts';

/** Creates the endpoints of OAuth over the keys of agents (contract, section 15). */
export function createSignIn(parts: Omit<ConsentEnvironment, 'findDocument'>): SignInProtocol {
  const { env } = parts;
  const { installation } = env;
  const consent = { ...parts, findDocument: createClientDocuments(env) };
  const listOffered = () =>
    scopes.filter((scope) => !findMissingCapability(scope, installation.features));
  return {
    describeResource: (root) => ({
      resource: buildResource(installation.baseUrl, root),
      authorization_servers: [installation.baseUrl],
      scopes_supported: listOffered(),
      bearer_methods_supported: ['header'],
      resource_name: `Stoa, realm ${installation.realm}`,
      resource_documentation: `${installation.baseUrl}/docs/mcp`,
    }),
    describeServer: () => ({
      issuer: installation.baseUrl,
      authorization_endpoint: installation.baseUrl + CONSENT_PATH,
      token_endpoint: `${installation.baseUrl}/oauth/token`,
      registration_endpoint: `${installation.baseUrl}/oauth/register`,
      revocation_endpoint: `${installation.baseUrl}/oauth/revoke`,
      scopes_supported: listOffered(),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${installation.baseUrl}/docs/mcp`,
    }),
    registerClient: (metadata, address) => registerClient(env, metadata, address),
    showConsent: (fields, address) => showConsent(consent, fields, address),
    answerConsent: (fields, call) => answerConsent(consent, fields, call),
    giveTokens: (fields) => giveTokens(env, fields),
    revokeToken: (fields) => revokeToken(env, fields),
  };
}
