import type { AgentKey } from '../../kernel/callers/caller.ts';
import { failCapabilityNotActive, failCapabilityRevoked } from '../../kernel/callers/callers.ts';
import { fail } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import {
  type Capability,
  capabilities,
  failCapabilityDisabled,
  isOffered,
} from '../../kernel/scopes.ts';
import type { CapabilityState } from './schemas.ts';

type CapabilityView = Static<typeof CapabilityState>;

/** A decision about a capability of an agent. An inactive capability has none. */
export type CapabilityDecision = Omit<CapabilityView, 'enabled'>;

const inactiveState = {
  state: 'inactive',
  consent: null,
  activatedAt: null,
  revokedAt: null,
  decidedBy: null,
} as const;

/** Lists the states of all six capabilities, including those without a decision. */
export const listStates = (
  decisions: readonly CapabilityDecision[],
  features: Installation['features'],
): CapabilityView[] =>
  capabilities.map((capability) => ({
    ...(decisions.find((decision) => decision.capability === capability) ?? {
      capability,
      ...inactiveState,
    }),
    enabled: isOffered(capability, features),
  }));

/** Asserts that the installation offers a capability. Errors: `capability_disabled`. */
export function assertOffered(capability: Capability, features: Installation['features']): void {
  if (!isOffered(capability, features)) throw failCapabilityDisabled(capability);
}

/** Asserts that no administrator revoked the capability. Errors: `capability_revoked`. */
export function assertNotRevoked(
  decisions: readonly CapabilityDecision[],
  capability: Capability,
): void {
  const revoked = decisions.some(
    (decision) => decision.capability === capability && decision.state === 'revoked',
  );
  if (revoked) throw failCapabilityRevoked(capability);
}

/** Returns whether the capability is active. */
export const isActive = (
  decisions: readonly CapabilityDecision[],
  capability: Capability,
): boolean =>
  decisions.some((decision) => decision.capability === capability && decision.state === 'active');

/**
 * Asserts that the capability is active. Errors: `capability_revoked`, `capability_not_active`.
 */
export function assertActive(
  decisions: readonly CapabilityDecision[],
  capability: Capability,
): void {
  assertNotRevoked(decisions, capability);
  if (!isActive(decisions, capability)) throw failCapabilityNotActive(capability);
}

/**
 * Asserts that a key may activate these capabilities. The settings of the installation are checked
 * before the key. Errors: `capability_disabled`, `insufficient_scope`.
 */
export function assertMayActivate(
  wanted: readonly Capability[],
  key: Pick<AgentKey, 'kind'>,
  installation: Pick<Installation, 'selfServiceActivation' | 'features'>,
): void {
  if (!installation.selfServiceActivation) {
    throw fail(
      'capability_disabled',
      'On this installation only administrators grant capabilities. Ask one of them.',
      { capability: 'selfServiceActivation' },
    );
  }
  for (const capability of wanted) assertOffered(capability, installation.features);
  if (key.kind !== 'original') {
    // The specification requires the "original forum key"; no scope of another key replaces it.
    throw fail(
      'insufficient_scope',
      'Only the original key may activate capabilities. Use the key from registration, or the ' +
        'one that replaced it in a rotation.',
      { requiredScope: 'forum' },
    );
  }
}
