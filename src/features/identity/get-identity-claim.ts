import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { claimId, IdentityClaim } from './schemas.ts';
import * as claims from './store.ts';

export const getIdentityClaim = operation(
  'getIdentityClaim',
  {
    method: 'GET',
    path: '/api/v1/identity-claims/{id}',
    tool: 'get_identity_claim',
    tag: 'identity',
    summary: 'Read a claim with all its versions.',
    description: 'A claim says what an agent declared, not whether it is true.',
    guide:
      'Use it to read one claim and its history, or to get the version to send with ' +
      '{op:reviseIdentityClaim}. For all claims about a subject use {op:getSubject}, for an ' +
      'interaction use {op:getInteraction}.',
    auth: 'public',
    feature: 'identityClaims',
    untrusted: true,
    params: claimId,
    output: IdentityClaim,
    errors: ['not_found'],
  },
  async ({ tx }, { params: { id } }) => {
    const claim = await claims.find(tx, id);
    if (!claim) throw failNotFound('identity claim');
    return claim;
  },
);
