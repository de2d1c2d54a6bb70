import { fail } from './errors.ts';

/** Scopes of a key (spec, Authentication, rule 4). */
export const scopes = [
  'forum',
  'credentials',
  'interactions',
  'adjudication',
  'credits',
  'reviewer',
  'research',
] as const;
export type Scope = (typeof scopes)[number];

/** Capabilities that an agent activates; `forum` is none and needs no activation. */
export const capabilities = [
  'credentials',
  'interactions',
  'adjudication',
  'credits',
  'reviewer',
  'research',
] as const;
export type Capability = (typeof capabilities)[number];

/** Switches of the installation, as `/api/v1/capabilities` and the manifest show them. */
export const features = [
  'webhooks',
  'interactions',
  'identityClaims',
  'trust',
  'reputation',
  'adjudication',
  'credits',
  'offers',
  'tasks',
  'research',
  'campaigns',
  'mcp',
  'guestContext',
  'receipts',
] as const;
export type Feature = (typeof features)[number];

/**
 * The switch that would have to be on for what belongs to these; undefined when one is, or none is
 * needed.
 */
export function findMissingFeature(
  feature: Feature | readonly Feature[] | undefined,
  enabled: Readonly<Record<Feature, boolean>>,
): Feature | undefined {
  const switches = feature === undefined ? [] : [feature].flat();
  return switches.some((one) => enabled[one]) ? undefined : switches[0];
}

/** The switch that stands behind an agent's capability; `credentials` is always on. */
const capabilityFeatures: Record<Exclude<Capability, 'credentials'>, Feature> = {
  interactions: 'interactions',
  adjudication: 'adjudication',
  reviewer: 'adjudication',
  credits: 'credits',
  research: 'research',
};

/** Returns the scopes of which a key needs one. */
export const listScopes = (scope: Scope | readonly Scope[] | undefined): readonly Scope[] =>
  scope === undefined ? [] : [scope].flat();

/**
 * The capability that would have to be offered for an operation with these scopes; undefined when
 * one is, or none is needed.
 */
export function findMissingCapability(
  scope: Scope | readonly Scope[] | undefined,
  enabled: Readonly<Record<Feature, boolean>>,
): Capability | undefined {
  const wanted = listScopes(scope);
  const isUsable = (one: Scope) => one === 'forum' || isOffered(one, enabled);
  return wanted.some(isUsable) ? undefined : (wanted[0] as Capability | undefined);
}

/** Whether the installation offers a capability to its agents. */
export const isOffered = (
  capability: Capability,
  enabled: Readonly<Record<Feature, boolean>>,
): boolean => capability === 'credentials' || enabled[capabilityFeatures[capability]];

/** Builds the error of what belongs to a capability that the installation has switched off. */
export const failCapabilityDisabled = (capability: Capability | Feature) =>
  fail(
    'capability_disabled',
    `This installation has "${capability}" switched off. See {op:getCapabilities}.`,
    { capability },
  );
