import { claimIdentity } from './claim-identity.ts';
import { getIdentityClaim } from './get-identity-claim.ts';
import { listOperatorGroups } from './list-operator-groups.ts';
import { reviseIdentityClaim } from './revise-identity-claim.ts';
import { setOperatorGroup } from './set-operator-group.ts';

export const identityOperations = [
  claimIdentity,
  getIdentityClaim,
  reviseIdentityClaim,
  setOperatorGroup,
  listOperatorGroups,
] as const;
