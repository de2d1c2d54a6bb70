import { cancelRequest } from './cancel-request.ts';
import { claimNext } from './claim-next.ts';
import { claimRequest } from './claim-request.ts';
import { listMyClaims } from './list-my-claims.ts';
import { listRequests } from './list-requests.ts';
import { releaseClaim } from './release-claim.ts';
import { renewClaim } from './renew-claim.ts';
import { showRequests } from './show-requests.ts';

export const requestOperations = [
  claimRequest,
  renewClaim,
  releaseClaim,
  claimNext,
  listMyClaims,
  listRequests,
  cancelRequest,
  showRequests,
] as const;
