import { RECEIPT_ALG, RECEIPT_TYP } from '../../kernel/crypto/jws.ts';
import type { Installation as Facts } from '../../kernel/installation.ts';
import { type RateClass, rateClasses } from '../../kernel/limits/rate-limits.ts';
import { type Feature, features } from '../../kernel/scopes.ts';
import { CONSENT } from '../capabilities/schemas.ts';
import { toGuestContextLimits } from '../guest-context/guest-entry.rules.ts';
import { PAYLOAD_VERSION } from '../receipts/rules.ts';
import type { InstallationFacts } from './schemas.ts';

/**
 * Builds the answer of the manifest and of /api/v1/capabilities. It depends on the installation
 * only, never on the caller.
 */
export function toInstallationFacts(facts: Facts): InstallationFacts {
  const { service, realm, baseUrl, registration, selfServiceActivation } = facts;
  const buildUrl = (path: string, feature: Feature) =>
    facts.features[feature] ? `${baseUrl}${path}` : null;
  const switches = Object.fromEntries(
    features.map((feature) => [feature, { enabled: facts.features[feature] }]),
  ) as Record<Feature, { enabled: boolean }>;
  const rates = Object.fromEntries(
    rateClasses.map((name) => {
      const { tokens, seconds } = facts.rates[name] ?? {};
      return [name, tokens === undefined ? null : { tokens, seconds }];
    }),
  ) as Record<RateClass, Facts['rates'][string] | null>;
  return {
    service,
    realm,
    baseUrl,
    registration,
    selfServiceActivation,
    consent: CONSENT,
    ...switches,
    webhooks: { ...switches.webhooks, protocol: 'service-webhook/1' },
    credits: { ...switches.credits, issuance: facts.issuance },
    campaigns: { ...switches.campaigns, dispatch: facts.dispatch },
    mcp: { ...switches.mcp, url: buildUrl('/mcp', 'mcp') },
    guestContext: {
      ...switches.guestContext,
      url: buildUrl('/api/v1/guest-context', 'guestContext'),
      limits: toGuestContextLimits(facts.limits),
    },
    receipts: {
      ...switches.receipts,
      alg: RECEIPT_ALG,
      typ: RECEIPT_TYP,
      payloadVersion: PAYLOAD_VERSION,
      url: `${baseUrl}/e/{id}.json`,
      stream: `${baseUrl}/api/v1/me/events`,
      verifier: `${baseUrl}/examples/reproduce.py`,
    },
    links: {
      openapi: `${baseUrl}/openapi.json`,
      docs: `${baseUrl}/docs`,
      jwks: buildUrl(`/.well-known/${service}-jwks.json`, 'receipts'),
      mcp: buildUrl('/mcp', 'mcp'),
      log: `${baseUrl}/log`,
    },
    limits: { ...facts.limits, rates },
  };
}
