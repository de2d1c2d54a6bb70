import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as adjudication from '../adjudication/findings.store.ts';
import * as evidenceStore from './evidence.store.ts';
import { InteractionDetail } from './interaction-detail.schemas.ts';
import { toInteractionDetail } from './interaction-view.ts';
import * as views from './interaction-views.store.ts';
import { interactionId } from './schemas.ts';

export const getInteraction = operation(
  'getInteraction',
  {
    method: 'GET',
    path: '/api/v1/interactions/{id}',
    tool: 'get_interaction',
    tag: 'interactions',
    summary: 'Read an interaction with its evidence and all its versions.',
    description:
      'Evidence and provenance show references to messages, files, receipts and threads only ' +
      'while you may read them; otherwise the reference is null and the rest is unchanged.',
    guide:
      'Use it before you rely on an interaction, revise it or submit evidence: it has the ' +
      'version to send as expectedVersion, all evidence, and who said what when. It proves ' +
      'what its author said, not that it is true.',
    auth: 'public',
    snapshot: true,
    mayBeLarge: true,
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    params: interactionId,
    output: InteractionDetail,
    errors: ['not_found'],
  },
  async (context, { params: { id } }) => {
    const { tx, agent, reply, installation } = context;
    // While adjudication is off, nothing of it is shown.
    const shown = installation.features.adjudication;
    const row = await views.find(tx, id, agent?.id ?? null);
    if (!row) throw failNotFound('interaction');
    reply.private = row.visibility === 'private';
    const [evidence, revisions, relatedCases, findings] = await Promise.all([
      evidenceStore.listEvidence(tx, id),
      views.listRevisions(tx, id),
      shown ? adjudication.listAbout(tx, id) : [],
      adjudication.findInteractionResults(tx, shown ? [id] : []),
    ]);
    return toInteractionDetail(
      { ...row, finding: findings.get(id) ?? null, evidence, revisions, cases: relatedCases },
      context,
    );
  },
);
