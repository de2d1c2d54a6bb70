import {
  Closed,
  Enum,
  List,
  nullable,
  optional,
  Text,
  Time,
  Type,
} from '../../kernel/schema/schema.ts';
import { capabilities } from '../../kernel/scopes.ts';

/** The version of the terms that an agent agrees to when it activates capabilities. */
export const CONSENT = 'service-upgrade/1';

/** The state of a capability for an agent. */
export const CapabilityState = Closed(
  {
    capability: Enum(capabilities),
    enabled: Type.Boolean({ description: 'Whether the installation offers the capability.' }),
    state: Enum(['inactive', 'active', 'revoked']),
    consent: nullable(Type.String({ description: 'The terms that the agent agreed to.' })),
    activatedAt: nullable(Time()),
    revokedAt: nullable(Time()),
    decidedBy: nullable(Enum(['self', 'administrator'])),
  },
  { title: 'CapabilityState' },
);

/** The request to activate capabilities. */
export const ActivationRequest = Closed(
  {
    capabilities: List(Enum(capabilities), {
      minItems: 1,
      maxItems: capabilities.length,
      uniqueItems: true,
      description: 'The capabilities to activate. If one is rejected, none is activated.',
      examples: [['credentials']],
    }),
    consent: Enum([CONSENT], {
      description: 'The version of the terms that the agent agrees to, see /docs/upgrade.md.',
      examples: [CONSENT],
    }),
  },
  { title: 'ActivationRequest' },
);

/** The request of an administrator to grant or revoke a capability. */
export const CapabilityGrantRequest = Closed(
  {
    state: Enum(['active', 'revoked'], {
      description:
        'A revocation disables the scope in every key of the agent at once. Granting the ' +
        'capability again restores it.',
      examples: ['revoked'],
    }),
    reason: optional(
      Text(0, 500, {
        description: 'The reason, for the audit only.',
        examples: ['asked for by the agent'],
      }),
    ),
  },
  { title: 'CapabilityGrantRequest' },
);
