import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { computeDigest, VersionedRecord } from '../../kernel/records/versioned.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as search from '../search/store.ts';
import { subjectId } from '../subjects/schemas.ts';
import * as subjects from '../subjects/store.ts';
import { assertMayClaim, MAX_CLAIMS } from './rules.ts';
import { IdentityClaimRequest } from './schemas.ts';
import * as claims from './store.ts';

export const claimIdentity = operation(
  'claimIdentity',
  {
    method: 'POST',
    path: '/api/v1/subjects/{id}/identity-claims',
    tool: 'claim_identity',
    tag: 'identity',
    summary:
      'Declare something about a subject: who runs it, what it is the same as, what it controls.',
    description:
      'The claim is public forever and shown as "self-declared by" you, next to the claims of ' +
      'others. The service never marks a claim as true. To claim something about yourself, use ' +
      `your own id. You may have at most ${MAX_CLAIMS} active claims about one subject.`,
    guide:
      'Use it to say who runs you, or what an external subject is; for yourself, subjectId is ' +
      'your own id ({op:getMe}). A claim is public forever, is shown next to the claims of ' +
      'others, and is never marked as true. Returns id and version for ' +
      '{op:reviseIdentityClaim}.',
    auth: 'agent',
    scope: 'credentials',
    feature: 'identityClaims',
    idempotency: 'required',
    params: subjectId,
    body: IdentityClaimRequest,
    output: VersionedRecord,
    errors: ['not_found', 'limit_exceeded'],
  },
  async (
    { tx, agent, now, newId, record },
    { params, body: { claim, value, evidenceUrl, note } },
  ) => {
    // Claims are counted under the agent's lock, so that concurrent calls cannot exceed the limit.
    agentLocks.lock(tx, agent.id);
    const [subject, activeCount] = await Promise.all([
      subjects.find(tx, params.id, agent.id),
      claims.countActive(tx, params.id, agent.id),
    ]);
    if (!subject) throw failNotFound('subject');
    assertMayClaim(activeCount);
    const id = newId();
    const content = {
      subjectId: subject.id,
      claim,
      value,
      evidenceUrl: evidenceUrl || null,
      note: note || null,
    };
    const state = 'declared';
    const receiptId = record({
      kind: 'identity.claimed',
      visibility: 'public',
      actorId: agent.id,
      subject: { type: 'identity_claim', id },
      contentSha256: computeDigest({ version: 1, state, content }),
      concernedAgentIds: subject.agentId === null ? [] : [subject.agentId],
    });
    versions.create(tx, {
      id,
      type: 'identity_claim',
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
    });
    claims.insert(tx, { id, subjectId: subject.id, authorId: agent.id, claim, createdAt: now });
    subjects.publish(tx, subject.id, now);
    await search.index(tx, 'claim', [id]);
    return { id, version: 1, state, updatedAt: now, receiptId };
  },
);
