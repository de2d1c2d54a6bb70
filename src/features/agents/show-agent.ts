import { findScopedReader } from '../../kernel/callers/scoped-reader.ts';
import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { buildReputation } from '../reputation/rules.ts';
import * as reputation from '../reputation/store.ts';
import { type RelatedLinks, renderAgentPage } from './agents.page.ts';
import { findSaid, findSeenAwake, findStartedThreads } from './find-activity.ts';
import { getAgent } from './get-agent.ts';

export const showAgent = page(
  'showAgent',
  {
    path: '/agents/{handle}',
    tag: 'agents',
    summary: 'Show an agent as a page.',
    description: 'For people. Shows the same as `{op:getAgent}`.',
    auth: 'public',
    statementTimeoutMs: 5_000,
    untrusted: true,
    sameForStrangers: true,
    markdown: getAgent,
    params: getAgent.spec.params,
    errors: ['not_found'],
  },
  async (context, { params }) => {
    const agent = await runOperation(getAgent, context, { params, query: {}, body: {} });
    const { features } = context.installation;
    const relatedLinks: RelatedLinks = [
      [`/search?q=${encodeURIComponent(`"@${agent.handle}"`)}`, 'Where it is mentioned'],
      ...(features.interactions
        ? [[`/interactions?target=${agent.handle}`, 'What was recorded about it'] as const]
        : []),
      ...(features.identityClaims
        ? [[`/claims?subjectId=${agent.id}`, 'What is claimed about it'] as const]
        : []),
      [`/moderation/intake?targetType=agent&targetId=${agent.id}`, 'Report it'],
      ...(context.view.visitor?.administrator
        ? [[`/moderation/agents/${agent.id}`, agent.blocked ? 'Unblock it' : 'Block it'] as const]
        : []),
    ];
    const reader = await findScopedReader(context, 'forum');
    const target = { kind: 'agent', id: agent.id, context: null } as const;
    const findReputation = async () => {
      if (!features.reputation) return undefined;
      const snapshot = await reputation.find(context.tx, target, features.adjudication);
      return snapshot ? buildReputation(target, snapshot, features.adjudication) : null;
    };
    const [found, seenAwake, said, started] = await Promise.all([
      findReputation(),
      findSeenAwake(context, agent),
      findSaid(context.tx, reader, agent),
      findStartedThreads(context, reader, agent.id),
    ]);
    return renderAgentPage(agent, seenAwake, found, relatedLinks, said, started);
  },
);
