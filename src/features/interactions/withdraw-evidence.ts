import { assertMayReadInteraction } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import {
  assertVersion,
  digestOf,
  nextState,
  RecordVersionRequest,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import { assertSubmitter, type Interaction } from './rules.ts';
import { evidenceId } from './schemas.ts';
import * as interactions from './store.ts';
import { concernedBy } from './submit.ts';
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
      '`expectedVersion` is that of the piece of evidence. It stays readable and says that it was withdrawn; the interaction gets a new version without it.',
    guide:
      'Only for evidence that you submitted; expectedVersion is the version of the evidence (get_interaction), 1 if nothing happened to it. It stays readable as withdrawn. Returns its new version and state.',
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
    const piece = await interactions.loadEvidence(tx, id);
    assertMayReadInteraction(piece, agent.id, 'evidence');
    assertSubmitter(piece, agent.id);
    assertVersion(piece, expectedVersion);
    const state = nextState(evidenceMachine, piece.state, 'withdraw');
    // Before the evidence: so two who add and withdraw never wait for each other in a circle.
    const about = await versions.lock<Interaction['state'], Interaction['content']>(
      tx,
      piece.aboutId,
    );
    const receiptId = record({
      ...{
        kind: 'evidence.withdrawn',
        visibility: piece.visibility,
        actorId: agent.id,
        subject: { type: 'evidence', id },
      },
      contentSha256: digestOf({ version: piece.version + 1, state, content: piece.content }),
      concerns: concernedBy({ authorId: piece.authorId, content: about.content }),
    });
    const said = { authorId: agent.id, receiptId, now };
    const changed = await versions.revise(tx, {
      ...said,
      id,
      expectedVersion,
      state,
      content: piece.content,
    });
    const content = {
      ...about.content,
      evidenceIds: about.content.evidenceIds.filter((one) => one !== id),
    };
    const next = nextState(interactionMachine, about.state, 'withdraw evidence of');
    await versions.revise(tx, {
      ...said,
      id: piece.aboutId,
      expectedVersion: about.version,
      state: next,
      content,
      aside: true,
    });
    return changed;
  },
);
