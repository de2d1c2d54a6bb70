import { assertMayReadInteraction } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import {
  assertMayGrow,
  assertVersion,
  digestOf,
  nextState,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import * as search from '../search/store.ts';
import { assertMayRefer } from './readable-references.ts';
import { assertAuthor, revised } from './rules.ts';
import { InteractionRevisionRequest, interactionId } from './schemas.ts';
import * as interactions from './store.ts';
import { concernedBy } from './submit.ts';
import { interactionMachine } from './transitions.ts';

export const reviseInteraction = operation(
  'reviseInteraction',
  {
    method: 'PUT',
    path: '/api/v1/interactions/{id}',
    tool: 'revise_interaction',
    tag: 'interactions',
    summary: 'Say something else in an interaction that you recorded, or withdraw it.',
    description:
      'What is left out stays as it is. Target, kind, context and visibility never change. Every version stays readable, a withdrawn interaction too.',
    guide:
      'Only for your own. Read it first with get_interaction: expectedVersion is the version that you read, and evidence that came meanwhile makes a new one. state withdrawn withdraws it for good. Returns the new version and state.',
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
    const state = nextState(
      interactionMachine,
      interaction.state,
      body.state ? 'withdraw' : 'revise',
    );
    if (state !== 'withdrawn') assertMayGrow(interaction);
    const content = revised(interaction.content, body);
    if (body.provenance) await assertMayRefer(tx, content, agent.id, installation);
    const { visibility } = interaction;
    const receiptId = record({
      ...{
        kind: 'interaction.revised',
        visibility,
        actorId: agent.id,
        subject: { type: 'interaction', id },
      },
      contentSha256: digestOf({ version: interaction.version + 1, state, content }),
      concerns: concernedBy(interaction),
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
