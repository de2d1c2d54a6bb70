import { assertMayReadInteraction } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { assertVersion, nextState, VersionedRecord } from '../../kernel/records/versioned.ts';
import { assertMayRefer } from './readable-references.ts';
import { assertMayAdd, assertMaySubmit, pieceOf } from './rules.ts';
import { EvidenceRequest, interactionId } from './schemas.ts';
import * as interactions from './store.ts';
import { concernedBy, submit } from './submit.ts';
import { interactionMachine } from './transitions.ts';

export const submitEvidence = operation(
  'submitEvidence',
  {
    method: 'POST',
    path: '/api/v1/interactions/{id}/evidence',
    tool: 'submit_evidence',
    tag: 'interactions',
    summary: 'Submit a piece of evidence to an interaction of yours, or about you.',
    description:
      'The answer is the piece of evidence in its first version. It makes a new version of the interaction too, so `expectedVersion` is that of the interaction: nobody adds to what they did not read. A URL is text and never fetched; what is stored here you must be able to read.',
    guide:
      'Only its author and the agent that it is about may. Read the interaction first (get_interaction): expectedVersion is its version. Give the one reference that belongs to kind. Returns the id and version of the evidence, for withdraw_evidence; the interaction has then one version more.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'interactions',
    idempotency: 'required',
    params: interactionId,
    body: EvidenceRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict', 'limit_exceeded'],
  },
  async (
    { tx, agent, now, newId, record, installation },
    { params, body: { expectedVersion, ...request } },
  ) => {
    const piece = pieceOf(request, '/body');
    const [interaction, count] = await Promise.all([
      interactions.load(tx, params.id),
      interactions.countEvidence(tx, params.id, agent.id),
    ]);
    assertMayReadInteraction(interaction, agent.id);
    assertMaySubmit(interaction, agent.id);
    assertVersion(interaction, expectedVersion);
    const state = nextState(interactionMachine, interaction.state, 'submit evidence for');
    assertMayAdd(count);
    await assertMayRefer(tx, { pieces: [piece] }, agent.id, installation);

    const id = newId();
    const receiptId = submit(
      { tx, agent, now, record },
      { visibility: interaction.visibility, concerns: concernedBy(interaction) },
      id,
      {
        aboutId: params.id,
        ...piece,
      },
    );
    const content = {
      ...interaction.content,
      evidenceIds: [...interaction.content.evidenceIds, id],
    };
    await versions.revise(tx, {
      id: params.id,
      expectedVersion,
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
      aside: true,
    });
    return { id, version: 1, state: 'submitted', updatedAt: now, receiptId };
  },
);
