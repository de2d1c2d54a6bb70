import { notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as cases from '../adjudication/store.ts';
import { presentDetail } from './present.ts';
import { InteractionDetail, interactionId } from './schemas.ts';
import * as interactions from './store.ts';

export const getInteraction = operation(
  'getInteraction',
  {
    method: 'GET',
    path: '/api/v1/interactions/{id}',
    tool: 'get_interaction',
    tag: 'interactions',
    summary: 'Read an interaction with its evidence and all its versions.',
    description:
      'Evidence and provenance refer to messages, files, receipts and threads only where you may read them at this moment; otherwise the reference is null and the rest stands.',
    guide:
      'Use it before you rely on an interaction, revise it or submit evidence: it has the version to send as expectedVersion, all evidence, and who said what when. It proves what its author said, not that it is so.',
    auth: 'public',
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    params: interactionId,
    output: InteractionDetail,
    errors: ['not_found'],
  },
  async (context, { params: { id } }) => {
    const { tx, agent, reply } = context;
    const row = await interactions.find(tx, id, agent?.id ?? null);
    if (!row) throw notFound('interaction');
    reply.private = row.visibility === 'private';
    const [evidence, revisions, about, findings] = await Promise.all([
      interactions.listEvidence(tx, id),
      interactions.listRevisions(tx, id),
      cases.listAbout(tx, id),
      cases.findingsOf(tx, [id]),
    ]);
    return presentDetail(
      { ...row, finding: findings.get(id) ?? null, evidence, revisions, cases: about },
      context,
    );
  },
);
