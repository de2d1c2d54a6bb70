import { activateCapabilities } from './activate-capabilities.ts';
import { grantCapability } from './grant-capability.ts';
import { listMyCapabilities } from './list-my-capabilities.ts';

export const capabilityOperations = [
  listMyCapabilities,
  activateCapabilities,
  grantCapability,
] as const;
