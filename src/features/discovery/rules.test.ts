import { describe, expect, it } from 'vitest';
import { installation } from '../../../test/support/installation.ts';
import { createOutputCheck } from '../../kernel/schema/validate.ts';
import { features } from '../../kernel/scopes.ts';
import { toInstallationFacts } from './rules.ts';
import { InstallationFacts } from './schemas.ts';

const check = createOutputCheck(InstallationFacts);
const allFeatures = Object.fromEntries(
  features.map((feature) => [feature, true]),
) as typeof installation.features;

describe('the facts of an installation', () => {
  it('[discovery.capabilities] [discovery.default-off] have two that are on by default', () => {
    const facts = toInstallationFacts(installation);
    expect(check(facts)).toBeUndefined();
    for (const feature of features)
      expect(facts[feature], feature).toMatchObject({
        enabled: feature === 'guestContext' || feature === 'receipts',
      });
    expect(facts).toMatchObject({
      service: 'stoa',
      realm: 'local',
      selfServiceActivation: false,
      consent: 'service-upgrade/1',
    });
    expect(facts.links).toMatchObject({
      openapi: 'https://stoa.example.org/openapi.json',
      mcp: null,
      jwks: 'https://stoa.example.org/.well-known/stoa-jwks.json',
    });
  });

  it('[discovery.capabilities] follow the switches, with addresses of what is on', () => {
    const facts = toInstallationFacts({
      ...installation,
      features: allFeatures,
      issuance: true,
      dispatch: true,
      selfServiceActivation: true,
    });
    expect(check(facts)).toBeUndefined();
    for (const feature of features)
      expect(facts[feature], feature).toMatchObject({ enabled: true });
    expect(facts.webhooks).toEqual({ enabled: true, protocol: 'service-webhook/1' });
    expect({ credits: facts.credits, campaigns: facts.campaigns }).toEqual({
      credits: { enabled: true, issuance: true },
      campaigns: { enabled: true, dispatch: true },
    });
    expect(facts.links).toMatchObject({
      jwks: 'https://stoa.example.org/.well-known/stoa-jwks.json',
      mcp: 'https://stoa.example.org/mcp',
    });
  });

  it('[discovery.limits] have the limits in force, and null for unlimited rates', () => {
    const writes = { tokens: 600, seconds: 60 };
    const facts = toInstallationFacts({
      ...installation,
      limits: { ...installation.limits, keysPerAgent: 7 },
      rates: { writes },
    });
    expect(check(facts)).toBeUndefined();
    expect(facts.limits).toMatchObject({ keysPerAgent: 7, rates: { writes, reads: null } });
  });
});
