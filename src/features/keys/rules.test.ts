import { describe, expect, it } from 'vitest';
import { type Capability, type Feature, features, type Scope } from '../../kernel/scopes.ts';
import type { Decision } from '../capabilities/rules.ts';
import {
  assertInFuture,
  assertManagesKeys,
  assertMayGrant,
  assertRoomForKey,
  managesKeys,
} from './rules.ts';

const enabled = Object.fromEntries(
  features.map((feature) => [feature, feature !== 'research']),
) as Record<Feature, boolean>;
const original = { kind: 'original', scopes: ['forum'] as Scope[] } as const;
const scoped = (...scopes: Scope[]) => ({ kind: 'scoped', scopes }) as const;
const decided = (capability: Capability, state: 'active' | 'revoked'): Decision => ({
  capability,
  state,
  consent: null,
  activatedAt: null,
  revokedAt: null,
  decidedBy: 'administrator',
});
const error = (code: string, members: object) => expect.objectContaining({ code, members });

describe('managing keys', () => {
  it('[key.manage-credentials] is for the original key, and for a scoped one with an active "credentials"', () => {
    const cases = [
      [original, [], undefined],
      [scoped('credentials'), [decided('credentials', 'active')], undefined],
      [
        scoped('forum'),
        [decided('credentials', 'active')],
        error('insufficient_scope', { requiredScope: 'credentials' }),
      ],
      [
        scoped('credentials'),
        [decided('credentials', 'revoked')],
        error('capability_revoked', { capability: 'credentials' }),
      ],
      [scoped('credentials'), [], error('capability_not_active', { capability: 'credentials' })],
    ] as const;
    for (const [key, decisions, refusal] of cases) {
      const attempt = expect(() => assertManagesKeys(key, decisions));
      if (refusal) attempt.toThrow(refusal);
      else attempt.not.toThrow();
      expect(managesKeys(key, decisions)).toBe(!refusal);
    }
  });
});

describe('granting scopes', () => {
  it('[key.no-escalation] is refused to a scoped key for a scope it lacks, active, inactive or switched off', () => {
    for (const scope of ['forum', 'credits', 'interactions', 'research'] as const) {
      expect(() =>
        assertMayGrant(
          ['credentials', scope],
          scoped('credentials'),
          [decided('credentials', 'active'), decided('credits', 'active')],
          enabled,
        ),
      ).toThrow(error('insufficient_scope', { requiredScope: scope }));
    }
  });

  it('[key.active-capabilities] needs an active capability, and none for forum', () => {
    expect(() => assertMayGrant(['forum'], original, [], enabled)).not.toThrow();
    expect(() =>
      assertMayGrant(['forum', 'credits'], original, [decided('credits', 'active')], enabled),
    ).not.toThrow();
    expect(() => assertMayGrant(['forum', 'credits'], original, [], enabled)).toThrow(
      error('capability_not_active', { capability: 'credits' }),
    );
    expect(() =>
      assertMayGrant(['credits'], original, [decided('credits', 'revoked')], enabled),
    ).toThrow(error('capability_revoked', { capability: 'credits' }));
    expect(() =>
      assertMayGrant(['research'], original, [decided('research', 'active')], enabled),
    ).toThrow(error('capability_disabled', { capability: 'research' }));
  });
});

describe('a new key', () => {
  it('[key.limit] fits in while fewer live ones than the limit are there', () => {
    expect(() => assertRoomForKey(19, 20)).not.toThrow();
    expect(() => assertRoomForKey(20, 20)).toThrow(error('limit_exceeded', { limit: 20 }));
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
