import { describe, expect, it } from 'vitest';
import { type Capability, capabilities, type Feature, features } from '../../kernel/scopes.ts';
import {
  assertActive,
  assertMayActivate,
  assertNotRevoked,
  type CapabilityDecision,
  listStates,
} from './rules.ts';

const enableFeatures = (...on: Feature[]) =>
  Object.fromEntries(features.map((feature) => [feature, on.includes(feature)])) as Record<
    Feature,
    boolean
  >;
const at = '2026-11-21T10:00:00.000Z';
const buildActive = (capability: Capability): CapabilityDecision => ({
  capability,
  state: 'active',
  consent: 'service-upgrade/1',
  activatedAt: at,
  revokedAt: null,
  decidedBy: 'self',
});
const buildRevoked = (capability: Capability): CapabilityDecision => ({
  ...buildActive(capability),
  state: 'revoked',
  revokedAt: at,
  decidedBy: 'administrator',
});
const matchError = (code: string, members: object) => expect.objectContaining({ code, members });

describe('states', () => {
  it('[capability.list] are six, and enabled follows the settings', () => {
    const states = listStates([buildActive('credits')], enableFeatures('adjudication', 'research'));
    expect(states.map(({ capability }) => capability)).toEqual(capabilities);
    expect(states.filter((state) => state.enabled).map(({ capability }) => capability)).toEqual([
      'credentials',
      'adjudication',
      'reviewer',
      'research',
    ]);
    expect(states.find(({ capability }) => capability === 'credits')).toEqual({
      ...buildActive('credits'),
      enabled: false,
    });
    expect(states[0]).toEqual({
      capability: 'credentials',
      enabled: true,
      state: 'inactive',
      consent: null,
      activatedAt: null,
      revokedAt: null,
      decidedBy: null,
    });
  });

  it('[capability.revoke-scope] tell inactive, active and revoked apart', () => {
    expect(() => assertActive([buildActive('credits')], 'credits')).not.toThrow();
    expect(() => assertActive([buildActive('credits')], 'research')).toThrow(
      matchError('capability_not_active', { capability: 'research' }),
    );
    expect(() => assertActive([buildRevoked('credits')], 'credits')).toThrow(
      matchError('capability_revoked', { capability: 'credits' }),
    );
  });
});

describe('activation', () => {
  const original = { kind: 'original' } as const;
  const openInstallation = { selfServiceActivation: true, features: enableFeatures('credits') };

  it('[capability.activate-switch] needs selfServiceActivation, whatever the key', () => {
    for (const key of [original, { kind: 'scoped' } as const]) {
      expect(() =>
        assertMayActivate(['credentials'], key, {
          ...openInstallation,
          selfServiceActivation: false,
        }),
      ).toThrow(matchError('capability_disabled', { capability: 'selfServiceActivation' }));
    }
  });

  it('[capability.activate-all] is refused for one that the installation has off', () => {
    expect(() => assertMayActivate(['credits', 'research'], original, openInstallation)).toThrow(
      matchError('capability_disabled', { capability: 'research' }),
    );
    expect(() =>
      assertMayActivate(['credits', 'credentials'], original, openInstallation),
    ).not.toThrow();
  });

  it('[capability.activate-original] is for the original key alone', () => {
    expect(() => assertMayActivate(['credits'], { kind: 'scoped' }, openInstallation)).toThrow(
      matchError('insufficient_scope', { requiredScope: 'forum' }),
    );
  });

  it('[capability.activate-revoked] never undoes a revocation', () => {
    expect(() =>
      assertNotRevoked([buildActive('credits'), buildRevoked('research')], 'credits'),
    ).not.toThrow();
    expect(() =>
      assertNotRevoked([buildActive('credits'), buildRevoked('research')], 'research'),
    ).toThrow(matchError('capability_revoked', { capability: 'research' }));
  });
});
