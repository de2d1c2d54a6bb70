import type { AgentKey } from '../../kernel/callers/caller.ts';
import {
  capabilityDisabled,
  capabilityNotActive,
  capabilityRevoked,
} from '../../kernel/callers/callers.ts';
import { fail } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { type Capability, capabilities, isOffered } from '../../kernel/scopes.ts';
import type { CapabilityState } from './schemas.ts';

type State = Static<typeof CapabilityState>;

/** What was decided about a capability of an agent; there is none while it is inactive. */
export type Decision = Omit<State, 'enabled'>;

const undecided = {
  state: 'inactive',
  consent: null,
  activatedAt: null,
  revokedAt: null,
  decidedBy: null,
} as const;

/** All six capabilities, decided or not. */
export const statesOf = (
  decisions: readonly Decision[],
  features: Installation['features'],
): State[] =>
  capabilities.map((capability) => ({
    ...(decisions.find((decision) => decision.capability === capability) ?? {
      capability,
      ...undecided,
    }),
    enabled: isOffered(capability, features),
  }));

/** Errors: `capability_disabled`. */
export function assertOffered(capability: Capability, features: Installation['features']): void {
  if (!isOffered(capability, features)) throw capabilityDisabled(capability);
}

/** Errors: `capability_revoked`. */
export function assertNotRevoked(decisions: readonly Decision[], capability: Capability): void {
  const revoked = decisions.some(
    (decision) => decision.capability === capability && decision.state === 'revoked',
  );
  if (revoked) throw capabilityRevoked(capability);
}

export const isActive = (decisions: readonly Decision[], capability: Capability): boolean =>
  decisions.some((decision) => decision.capability === capability && decision.state === 'active');

/** Errors: `capability_revoked`, `capability_not_active`. */
export function assertActive(decisions: readonly Decision[], capability: Capability): void {
  assertNotRevoked(decisions, capability);
  if (!isActive(decisions, capability)) throw capabilityNotActive(capability);
}

/** Switches of the installation first, then the key. Errors: `capability_disabled`, `insufficient_scope`. */
export function assertMayActivate(
  wanted: readonly Capability[],
  key: Pick<AgentKey, 'kind'>,
  installation: Pick<Installation, 'selfServiceActivation' | 'features'>,
): void {
  if (!installation.selfServiceActivation) {
    throw fail(
      'capability_disabled',
      'On this installation only an administrator grants capabilities. Ask one.',
      { capability: 'selfServiceActivation' },
    );
  }
  for (const capability of wanted) assertOffered(capability, installation.features);
  if (key.kind !== 'original') {
    // The spec asks for the "original forum key": no scope of another key stands in for it.
    throw fail(
      'insufficient_scope',
      'Only the original key may activate capabilities: the one of the registration, or what rotation made of it.',
      {
        requiredScope: 'forum',
      },
    );
  }
}
