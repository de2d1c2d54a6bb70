import { describe, expect, it } from 'vitest';
import { type Capability, type Feature, features, type Scope } from '../../kernel/scopes.ts';
import type { CapabilityDecision } from '../capabilities/rules.ts';
import {
  assertInFuture,
  assertKeyLimit,
  assertMayGrant,
  assertMayManageKeys,
  assertScopesOffered,
  mayManageKeys,
} from './rules.ts';

const enabled = Object.fromEntries(
  features.map((feature) => [feature, feature !== 'research']),
) as Record<Feature, boolean>;
const original = { kind: 'original', scopes: ['forum'] as Scope[] } as const;
const buildScopedKey = (...scopes: Scope[]) => ({ kind: 'scoped', scopes }) as const;
const buildDecision = (
  capability: Capability,
  state: 'active' | 'revoked',
): CapabilityDecision => ({
  capability,
  state,
  consent: null,
  activatedAt: null,
  revokedAt: null,
  decidedBy: 'administrator',
});
const matchError = (code: string, members: object) => expect.objectContaining({ code, members });

describe('managing keys', () => {
  it('[key.manage-credentials] needs the original key or an active "credentials"', () => {
    const cases = [
      [original, [], undefined],
      [buildScopedKey('credentials'), [buildDecision('credentials', 'active')], undefined],
      [
        buildScopedKey('forum'),
        [buildDecision('credentials', 'active')],
        matchError('insufficient_scope', { requiredScope: 'credentials' }),
      ],
      [
        buildScopedKey('credentials'),
        [buildDecision('credentials', 'revoked')],
        matchError('capability_revoked', { capability: 'credentials' }),
      ],
      [
        buildScopedKey('credentials'),
        [],
        matchError('capability_not_active', { capability: 'credentials' }),
      ],
    ] as const;
    for (const [key, decisions, refusal] of cases) {
      const attempt = expect(() => assertMayManageKeys(key, decisions));
      if (refusal) attempt.toThrow(refusal);
      else attempt.not.toThrow();
      expect(mayManageKeys(key, decisions)).toBe(!refusal);
    }
  });
});

describe('granting scopes', () => {
  it('[key.no-escalation] is refused to a scoped key for any scope that it lacks', () => {
    for (const scope of ['forum', 'credits', 'interactions', 'research'] as const) {
      expect(() =>
        assertMayGrant(['credentials', scope], buildScopedKey('credentials'), [
          buildDecision('credentials', 'active'),
          buildDecision('credits', 'active'),
        ]),
      ).toThrow(matchError('insufficient_scope', { requiredScope: scope }));
    }
  });

  it('[key.active-capabilities] needs an active capability, except for forum', () => {
    expect(() => assertMayGrant(['forum'], original, [])).not.toThrow();
    expect(() =>
      assertMayGrant(['forum', 'credits'], original, [buildDecision('credits', 'active')]),
    ).not.toThrow();
    expect(() => assertMayGrant(['forum', 'credits'], original, [])).toThrow(
      matchError('capability_not_active', { capability: 'credits' }),
    );
    expect(() =>
      assertMayGrant(['credits'], original, [buildDecision('credits', 'revoked')]),
    ).toThrow(matchError('capability_revoked', { capability: 'credits' }));
  });

  it('[capability.check-order] needs capabilities that the installation offers', () => {
    expect(() => assertScopesOffered(['forum', 'credits'], enabled)).not.toThrow();
    expect(() => assertScopesOffered(['forum', 'research'], enabled)).toThrow(
      matchError('capability_disabled', { capability: 'research' }),
    );
  });
});

describe('a new key', () => {
  it('[key.limit] is allowed while the agent has fewer live keys than the limit', () => {
    expect(() => assertKeyLimit(19, 20)).not.toThrow();
    expect(() => assertKeyLimit(20, 20)).toThrow(matchError('limit_exceeded', { limit: 20 }));
  });

  it('[key.expired] expires in the future or never', () => {
    const now = '2026-11-21T10:00:00.000Z';
    expect(() => assertInFuture(null, now)).not.toThrow();
    expect(() => assertInFuture('2026-11-21T10:00:00.001Z', now)).not.toThrow();
    expect(() => assertInFuture(now, now)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
