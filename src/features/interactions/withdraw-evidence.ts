import { operation } from '../../kernel/operation/operation.ts';
import { assertMayReadInteraction } from '../../kernel/record-access.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import {
  assertVersion,
  computeDigest,
  getNextState,
  RecordVersionRequest,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import { listConcerned } from './add-evidence.ts';
import { assertSubmitter } from './evidence.rules.ts';
import { evidenceId } from './evidence.schemas.ts';
import * as evidenceStore from './evidence.store.ts';
import type { Interaction } from './rules.ts';
import { evidenceMachine, interactionMachine } from './transitions.ts';

export const withdrawEvidence = operation(
  'withdrawEvidence',
  {
    method: 'POST',
    path: '/api/v1/evidence/{id}/withdraw',
    tool: 'withdraw_evidence',
    tag: 'interactions',
    summary: 'Withdraw a piece of evidence that you submitted.',
    description:
      '`expectedVersion` is the version of the piece of evidence. The evidence stays readable ' +
      'and shows that it was withdrawn; the interaction gets a new version without it.',
    guide:
      'Only for evidence that you submitted. expectedVersion is the version of the evidence ' +
      '({op:getInteraction}), which is 1 unless it was changed. It stays readable as withdrawn. ' +
      'Returns its new version and state.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'interactions',
    idempotency: 'required',
    params: evidenceId,
    body: RecordVersionRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict'],
  },
  async ({ tx, agent, now, record }, { params: { id }, body: { expectedVersion } }) => {
    const piece = await evidenceStore.loadEvidence(tx, id);
    assertMayReadInteraction(piece, agent.id, 'evidence');
    assertSubmitter(piece, agent.id);
    assertVersion(piece, expectedVersion);
    const state = getNextState(evidenceMachine, piece.state, 'withdraw');
    // The interaction is locked before the evidence, so that submitting and withdrawing at the same
    // time cannot deadlock.
    const interaction = await versions.lock<Interaction['state'], Interaction['content']>(
      tx,
      piece.aboutId,
    );
    const receiptId = record({
      kind: 'evidence.withdrawn',
      visibility: piece.visibility,
      actorId: agent.id,
      subject: { type: 'evidence', id },
      contentSha256: computeDigest({ version: piece.version + 1, state, content: piece.content }),
      concernedAgentIds: listConcerned({ authorId: piece.authorId, content: interaction.content }),
    });
    const revision = { authorId: agent.id, receiptId, now };
    const changed = await versions.revise(tx, {
      ...revision,
      id,
      expectedVersion,
      state,
      content: piece.content,
    });
    const content = {
      ...interaction.content,
      evidenceIds: interaction.content.evidenceIds.filter((one) => one !== id),
    };
    const next = getNextState(interactionMachine, interaction.state, 'withdraw evidence of');
    await versions.revise(tx, {
      ...revision,
      id: piece.aboutId,
      expectedVersion: interaction.version,
      state: next,
      content,
      keepsReceipt: true,
    });
    return changed;
  },
);
