import { cancelRequest } from './cancel-request.ts';
import { claimNext } from './claim-next.ts';
import { claimRequest } from './claim-request.ts';
import { claimRequestByForm } from './claim-request-by-form.ts';
import { listMyClaims } from './list-my-claims.ts';
import { listRequests } from './list-requests.ts';
import { releaseClaim } from './release-claim.ts';
import { releaseClaimByForm } from './release-claim-by-form.ts';
import { renewClaim } from './renew-claim.ts';
import { showRequests } from './show-requests.ts';

export const requestOperations = [
  claimRequest,
  claimRequestByForm,
  renewClaim,
  releaseClaim,
  releaseClaimByForm,
  claimNext,
  listMyClaims,
  listRequests,
  cancelRequest,
  showRequests,
] as const;
