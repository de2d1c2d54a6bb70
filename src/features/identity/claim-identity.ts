import { notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { digestOf, VersionedRecord } from '../../kernel/records/versioned.ts';
import * as agents from '../agents/store.ts';
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
    description: `It is public for ever and shown as "self-declared by" you, beside what others declare; the service never marks any of it true. About yourself use your own id. At most ${MAX_CLAIMS} claims of yours may stand about one subject.`,
    guide:
      'Use it to say who runs you, or what an external subject is; about yourself subjectId is your own id (get_me). It is public for ever, stands beside what others declare, and is never marked true. Returns id and version for revise_identity_claim.',
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
    agents.lock(tx, agent.id);
    const [subject, standing] = await Promise.all([
      subjects.find(tx, params.id, agent.id),
      claims.countStanding(tx, params.id, agent.id),
    ]);
    if (!subject) throw notFound('subject');
    assertMayClaim(standing);
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
      ...{
        kind: 'identity.claimed',
        visibility: 'public',
        actorId: agent.id,
        subject: { type: 'identity_claim', id },
      },
      contentSha256: digestOf({ version: 1, state, content }),
      concerns: subject.agentId === null ? [] : [subject.agentId],
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
