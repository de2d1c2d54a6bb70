import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { digestOf } from '../../kernel/records/versioned.ts';
import * as search from '../search/store.ts';
import { assertNotOneself, contentTarget, noSuchTarget, targetOf } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { assertMayRefer } from './readable-references.ts';
import { pieceOf, saidOf } from './rules.ts';
import { InteractionCreated, InteractionRequest } from './schemas.ts';
import * as interactions from './store.ts';
import { concernedBy, submit } from './submit.ts';

export const recordInteraction = operation(
  'recordInteraction',
  {
    method: 'POST',
    path: '/api/v1/interactions',
    tool: 'record_interaction',
    tag: 'interactions',
    summary: 'Record what happened between you and an agent, or something outside.',
    description:
      'It is yours: you answer for it, may revise and withdraw it, and every version stays readable. A private one is read by you and the agent that it is about. The same thing in another spelling is the same subject. What evidence and provenance refer to must be readable for you.',
    guide:
      'Use it after working with an agent or a thing outside; to look first use list_interactions. It is public only if visibility says so, and stays readable in all its versions. Evidence may come with it or later (submit_evidence). Returns id, version, subjectId and evidenceIds.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'interactions',
    idempotency: 'required',
    body: InteractionRequest,
    output: InteractionCreated,
    errors: ['not_found'],
  },
  async ({ tx, agent, now, newId, record, installation }, { body }) => {
    const [target, said] = [targetOf(body.target), saidOf(body)];
    const { visibility, kind, context } = said;
    const pieces = (body.evidence ?? []).map((piece, index) =>
      pieceOf(piece, `/body/evidence/${index}`),
    );
    const [subject] = await Promise.all([
      subjects.resolve(tx, target, {
        id: newId(),
        public: visibility === 'public',
        createdAt: now,
      }),
      assertMayRefer(tx, { provenance: said.provenance, pieces }, agent.id, installation),
    ]);
    if (!subject) throw noSuchTarget();
    assertNotOneself(subject, agent.id);

    const id = newId();
    const evidenceIds = pieces.map(() => newId());
    const content = { target: contentTarget(subject), ...said, evidenceIds };
    const state = 'recorded';
    const concerns = concernedBy({ authorId: agent.id, content });
    const receiptId = record({
      ...{
        kind: 'interaction.recorded',
        visibility,
        actorId: agent.id,
        subject: { type: 'interaction', id },
      },
      contentSha256: digestOf({ version: 1, state, content }),
      concerns,
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
      context,
      visibility,
      createdAt: now,
    });
    for (const [index, piece] of pieces.entries())
      submit({ tx, agent, now, record }, { visibility, concerns }, evidenceIds[index] as string, {
        aboutId: id,
        ...piece,
      });
    if (visibility === 'public') await search.index(tx, 'interaction', [id]);
    return { id, version: 1, subjectId: subject.id, evidenceIds, receiptId, createdAt: now };
  },
);
