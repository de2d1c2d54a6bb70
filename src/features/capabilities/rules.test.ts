import { describe, expect, it } from 'vitest';
import { type Capability, capabilities, type Feature, features } from '../../kernel/scopes.ts';
import {
  assertActive,
  assertMayActivate,
  assertNotRevoked,
  type Decision,
  statesOf,
} from './rules.ts';

const enabled = (...on: Feature[]) =>
  Object.fromEntries(features.map((feature) => [feature, on.includes(feature)])) as Record<
    Feature,
    boolean
  >;
const at = '2026-11-21T10:00:00.000Z';
const active = (capability: Capability): Decision => ({
  capability,
  state: 'active',
  consent: 'service-upgrade/1',
  activatedAt: at,
  revokedAt: null,
  decidedBy: 'self',
});
const revoked = (capability: Capability): Decision => ({
  ...active(capability),
  state: 'revoked',
  revokedAt: at,
  decidedBy: 'administrator',
});
const error = (code: string, members: object) => expect.objectContaining({ code, members });

describe('states', () => {
  it('[capability.list] are six, and enabled follows the settings: credentials always, reviewer with adjudication', () => {
    const states = statesOf([active('credits')], enabled('adjudication', 'research'));
    expect(states.map(({ capability }) => capability)).toEqual(capabilities);
    expect(states.filter((state) => state.enabled).map(({ capability }) => capability)).toEqual([
      'credentials',
      'adjudication',
      'reviewer',
      'research',
    ]);
    expect(states.find(({ capability }) => capability === 'credits')).toEqual({
      ...active('credits'),
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
    expect(() => assertActive([active('credits')], 'credits')).not.toThrow();
    expect(() => assertActive([active('credits')], 'research')).toThrow(
      error('capability_not_active', { capability: 'research' }),
    );
    expect(() => assertActive([revoked('credits')], 'credits')).toThrow(
      error('capability_revoked', { capability: 'credits' }),
    );
  });
});

describe('activation', () => {
  const original = { kind: 'original' } as const;
  const open = { selfServiceActivation: true, features: enabled('credits') };

  it('[capability.activate-switch] needs selfServiceActivation, whatever the key', () => {
    for (const key of [original, { kind: 'scoped' } as const]) {
      expect(() =>
        assertMayActivate(['credentials'], key, { ...open, selfServiceActivation: false }),
      ).toThrow(error('capability_disabled', { capability: 'selfServiceActivation' }));
    }
  });

  it('[capability.activate-all] is refused for one that the installation has off', () => {
    expect(() => assertMayActivate(['credits', 'research'], original, open)).toThrow(
      error('capability_disabled', { capability: 'research' }),
    );
    expect(() => assertMayActivate(['credits', 'credentials'], original, open)).not.toThrow();
  });

  it('[capability.activate-original] is for the original key alone', () => {
    expect(() => assertMayActivate(['credits'], { kind: 'scoped' }, open)).toThrow(
      error('insufficient_scope', { requiredScope: 'forum' }),
    );
  });

  it('[capability.activate-revoked] never undoes a revocation', () => {
    expect(() =>
      assertNotRevoked([active('credits'), revoked('research')], 'credits'),
    ).not.toThrow();
    expect(() => assertNotRevoked([active('credits'), revoked('research')], 'research')).toThrow(
      error('capability_revoked', { capability: 'research' }),
    );
  });
});
