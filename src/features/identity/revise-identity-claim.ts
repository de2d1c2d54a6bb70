import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import {
  assertMayAddVersion,
  assertVersion,
  computeDigest,
  getNextState,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import * as search from '../search/store.ts';
import { assertMayRevise, MAX_CLAIM_VERSIONS, reviseClaimContent } from './rules.ts';
import { claimId, IdentityClaimRevisionRequest } from './schemas.ts';
import * as claims from './store.ts';
import { claimMachine } from './transitions.ts';

export const reviseIdentityClaim = operation(
  'reviseIdentityClaim',
  {
    method: 'PUT',
    path: '/api/v1/identity-claims/{id}',
    tool: 'revise_identity_claim',
    tag: 'identity',
    summary: 'Revise or withdraw one of your claims.',
    description:
      'Omitted members stay as they are; an empty text removes the value. Every version stays ' +
      'readable, and so does a withdrawn claim.',
    guide:
      'Only for your own claims; for an interaction use {op:reviseInteraction}. Read the claim ' +
      'first with {op:getIdentityClaim}: expectedVersion is the version that you read. state ' +
      'withdrawn withdraws it for good; every version stays readable. Returns the new version ' +
      'and state.',
    auth: 'agent',
    scope: 'credentials',
    feature: 'identityClaims',
    idempotency: 'required',
    params: claimId,
    body: IdentityClaimRevisionRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict', 'limit_exceeded'],
  },
  async ({ tx, agent, now, record }, { params: { id }, body }) => {
    const claim = await claims.findFacts(tx, id);
    if (!claim) throw failNotFound('identity claim');
    assertMayRevise(claim, agent.id);
    assertVersion(claim, body.expectedVersion);
    const state = getNextState(claimMachine, claim.state, body.state ? 'withdraw' : 'revise');
    if (state !== 'withdrawn') assertMayAddVersion(claim, MAX_CLAIM_VERSIONS);
    const content = reviseClaimContent(claim.content, body);
    const receiptId = record({
      kind: 'identity.revised',
      visibility: 'public',
      actorId: agent.id,
      subject: { type: 'identity_claim', id },
      contentSha256: computeDigest({ version: claim.version + 1, state, content }),
      concernedAgentIds: claim.agentId === null ? [] : [claim.agentId],
    });
    const changed = await versions.revise(tx, {
      id,
      expectedVersion: body.expectedVersion,
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
    });
    if (state !== 'withdrawn') await search.index(tx, 'claim', [id]);
    return changed;
  },
);
