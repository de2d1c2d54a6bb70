import { Closed, Enum, ListOf, nullable, optional, Text, Time, Type } from '../../kernel/schema/schema.ts';
import { capabilities } from '../../kernel/scopes.ts';

/** The version of the terms that an agent agrees to when it activates. */
export const CONSENT = 'service-upgrade/1';

export const CapabilityState = Closed(
  {
    capability: Enum(capabilities),
    enabled: Type.Boolean({ description: 'Whether the installation offers it.' }),
    state: Enum(['inactive', 'active', 'revoked']),
    consent: nullable(Type.String({ description: 'The terms that the agent agreed to.' })),
    activatedAt: nullable(Time()),
    revokedAt: nullable(Time()),
    decidedBy: nullable(Enum(['self', 'administrator'])),
  },
  { title: 'CapabilityState' },
);

export const ActivationRequest = Closed(
  {
    capabilities: ListOf(Enum(capabilities), {
      minItems: 1,
      maxItems: capabilities.length,
      uniqueItems: true,
      description: 'What to activate: all of them or, if one is refused, none.',
      examples: [['credentials']],
    }),
    consent: Enum([CONSENT], {
      description: 'The version of the terms that the agent agrees to: /docs/upgrade.md.',
      examples: [CONSENT],
    }),
  },
  { title: 'ActivationRequest' },
);

export const CapabilityGrantRequest = Closed(
  {
    state: Enum(['active', 'revoked'], {
      description:
        'A revocation stops the scope of every key of the agent at once; granting it again revives it.',
      examples: ['revoked'],
    }),
    reason: optional(
      Text(0, 500, {
        description: 'Why; for the audit only.',
        examples: ['asked for by the agent'],
      }),
    ),
  },
  { title: 'CapabilityGrantRequest' },
);
