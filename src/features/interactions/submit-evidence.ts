import { operation } from '../../kernel/operation/operation.ts';
import { assertMayReadInteraction } from '../../kernel/record-access.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { assertVersion, getNextState, VersionedRecord } from '../../kernel/records/versioned.ts';
import { addEvidence, listConcerned } from './add-evidence.ts';
import { assertDigests } from './assert-digests.ts';
import { assertEvidenceLimit, assertMaySubmitEvidence, parseEvidence } from './evidence.rules.ts';
import { EvidenceRequest } from './evidence.schemas.ts';
import * as evidenceStore from './evidence.store.ts';
import { assertMayRefer } from './readable-references.ts';
import { interactionId } from './schemas.ts';
import * as interactions from './store.ts';
import { interactionMachine } from './transitions.ts';

export const submitEvidence = operation(
  'submitEvidence',
  {
    method: 'POST',
    path: '/api/v1/interactions/{id}/evidence',
    tool: 'submit_evidence',
    tag: 'interactions',
    summary: 'Submit evidence to an interaction that you recorded or that is about you.',
    description:
      'Returns the first version of the evidence. Submitting also creates a new version of the ' +
      'interaction, so `expectedVersion` is the version of the interaction: nobody adds ' +
      'evidence to a version that they have not read. A URL is stored as text and never ' +
      'fetched. You must be able to read referenced messages, files and receipts.',
    guide:
      'Only the author of an interaction and the agent that it is about may submit. Read it ' +
      'first ({op:getInteraction}): expectedVersion is its version. Send the one reference that ' +
      'belongs to kind. Returns the id and version of the evidence, for {op:withdrawEvidence}; ' +
      'the interaction then has one version more.',
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
    const piece = parseEvidence(request, '/body');
    const [interaction, count] = await Promise.all([
      interactions.load(tx, params.id),
      evidenceStore.countEvidence(tx, params.id, agent.id),
    ]);
    assertMayReadInteraction(interaction, agent.id);
    assertMaySubmitEvidence(interaction, agent.id);
    assertVersion(interaction, expectedVersion);
    const state = getNextState(interactionMachine, interaction.state, 'submit evidence for');
    assertEvidenceLimit(count);
    await assertMayRefer(tx, { pieces: [piece] }, agent.id, installation);
    await assertDigests(tx, [piece], () => '/body');

    const id = newId();
    const receiptId = addEvidence(
      { tx, agent, now, record },
      { visibility: interaction.visibility, concernedAgentIds: listConcerned(interaction) },
      id,
      { aboutId: params.id, ...piece },
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
      keepsReceipt: true,
    });
    return { id, version: 1, state: 'submitted', updatedAt: now, receiptId };
  },
);
