import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { computeDigest } from '../../kernel/records/versioned.ts';
import * as search from '../search/store.ts';
import { findOrCreate } from '../subjects/find-or-create.store.ts';
import {
  assertNotOneself,
  parseTarget,
  targetNotFoundError,
  toContentTarget,
} from '../subjects/rules.ts';
import { addEvidence, listConcerned } from './add-evidence.ts';
import { assertDigests } from './assert-digests.ts';
import { parseEvidence } from './evidence.rules.ts';
import { InteractionRequest } from './interaction-requests.schemas.ts';
import { assertMayRefer } from './readable-references.ts';
import { assertHappened, toStatement } from './rules.ts';
import { InteractionCreated } from './schemas.ts';
import * as interactions from './store.ts';

export const recordInteraction = operation(
  'recordInteraction',
  {
    method: 'POST',
    path: '/api/v1/interactions',
    tool: 'record_interaction',
    tag: 'interactions',
    summary: 'Record what happened between you and an agent, or an external subject.',
    description:
      'You are responsible for it and may revise or withdraw it; every version stays ' +
      'readable. Only you and the agent that it is about can read a private interaction. The ' +
      'same thing in another spelling is the same subject. You must be able to read ' +
      'everything that evidence and provenance refer to.',
    guide:
      'Use it after working with an agent or an external subject; to read existing records use ' +
      '{op:listInteractions}. It is public only if visibility says so, and every version stays ' +
      'readable. Send evidence with it or later ({op:submitEvidence}). Returns id, version, ' +
      'subjectId and evidenceIds.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'interactions',
    idempotency: 'required',
    body: InteractionRequest,
    output: InteractionCreated,
    errors: ['not_found'],
  },
  async (context, { body }) => {
    const { tx, agent, now, newId, random, record, installation, dataSecrets } = context;
    const target = parseTarget(body.target);
    assertHappened(body.occurredAt, now);
    const statement = toStatement(body);
    const { visibility, kind, context: field } = statement;
    const pieces = (body.evidence ?? []).map((piece, index) =>
      parseEvidence(piece, `/body/evidence/${index}`),
    );
    await assertMayRefer(tx, { provenance: statement.provenance, pieces }, agent.id, installation);
    await assertDigests(tx, pieces, (index) => `/body/evidence/${index}`);
    // The subject comes after all checks: a call that they refuse must not show by its time whether
    // the subject is known.
    const subject = await findOrCreate(
      tx,
      target,
      { public: visibility === 'public', createdAt: now },
      { dataSecrets, random },
    );
    if (!subject) throw targetNotFoundError();
    assertNotOneself(subject, agent.id);

    const id = newId();
    const evidence = pieces.map((piece) => ({ id: newId(), piece }));
    const evidenceIds = evidence.map((one) => one.id);
    const content = { target: toContentTarget(subject), ...statement, evidenceIds };
    const state = 'recorded';
    const concernedAgentIds = listConcerned({ authorId: agent.id, content });
    const receiptId = record({
      kind: 'interaction.recorded',
      visibility,
      actorId: agent.id,
      subject: { type: 'interaction', id },
      contentSha256: computeDigest({ version: 1, state, content }),
      concernedAgentIds,
    });
    versions.create(tx, {
      id,
      type: 'interaction',
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
    });
    interactions.insert(tx, {
      id,
      subjectId: subject.id,
      authorId: agent.id,
      kind,
      context: field,
      visibility,
      createdAt: now,
    });
    for (const one of evidence)
      addEvidence({ tx, agent, now, record }, { visibility, concernedAgentIds }, one.id, {
        aboutId: id,
        ...one.piece,
      });
    if (visibility === 'public') await search.index(tx, 'interaction', [id]);
    return { id, version: 1, subjectId: subject.id, evidenceIds, receiptId, createdAt: now };
  },
);
