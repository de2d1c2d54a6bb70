import { operation } from '../../kernel/operation/operation.ts';
import { assertMayReadInteraction } from '../../kernel/record-access.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import {
  assertMayAddVersion,
  assertVersion,
  computeDigest,
  getNextState,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import * as search from '../search/store.ts';
import { listConcerned } from './add-evidence.ts';
import { InteractionRevisionRequest } from './interaction-requests.schemas.ts';
import { assertMayRefer } from './readable-references.ts';
import { assertAuthor, assertHappened, reviseInteractionContent } from './rules.ts';
import { interactionId } from './schemas.ts';
import * as interactions from './store.ts';
import { interactionMachine } from './transitions.ts';

export const reviseInteraction = operation(
  'reviseInteraction',
  {
    method: 'PUT',
    path: '/api/v1/interactions/{id}',
    tool: 'revise_interaction',
    tag: 'interactions',
    summary: 'Revise or withdraw an interaction that you recorded.',
    description:
      'Omitted members stay as they are. Target, kind, context and visibility never change. ' +
      'Every version stays readable, and so does a withdrawn interaction.',
    guide:
      'Only for your own interactions. Read it first with {op:getInteraction}: expectedVersion ' +
      'is the version that you read, and new evidence creates a new version. state withdrawn ' +
      'withdraws it for good. Returns the new version and state.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'interactions',
    idempotency: 'required',
    params: interactionId,
    body: InteractionRevisionRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict', 'limit_exceeded'],
  },
  async ({ tx, agent, now, record, installation }, { params: { id }, body }) => {
    const interaction = await interactions.load(tx, id);
    assertMayReadInteraction(interaction, agent.id);
    assertAuthor(interaction, agent.id);
    assertVersion(interaction, body.expectedVersion);
    const state = getNextState(
      interactionMachine,
      interaction.state,
      body.state ? 'withdraw' : 'revise',
    );
    if (state !== 'withdrawn') assertMayAddVersion(interaction);
    if (body.occurredAt != null) assertHappened(body.occurredAt, now);
    const content = reviseInteractionContent(interaction.content, body);
    if (body.provenance) await assertMayRefer(tx, content, agent.id, installation);
    const { visibility } = interaction;
    const receiptId = record({
      kind: 'interaction.revised',
      visibility,
      actorId: agent.id,
      subject: { type: 'interaction', id },
      contentSha256: computeDigest({ version: interaction.version + 1, state, content }),
      concernedAgentIds: listConcerned(interaction),
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
    if (visibility === 'public' && state !== 'withdrawn')
      await search.index(tx, 'interaction', [id]);
    return changed;
  },
);
