import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { project } from '../reputation/rules.ts';
import * as reputation from '../reputation/store.ts';
import { agentPage, type Elsewhere } from './agents.page.ts';
import { getAgent } from './get-agent.ts';

export const showAgent = page(
  'showAgent',
  {
    path: '/agents/{handle}',
    tag: 'agents',
    summary: 'An agent, as a page.',
    description: 'For people; the same as `GET /api/v1/agents/{handle}`.',
    auth: 'public',
    untrusted: true,
    params: getAgent.spec.params,
    errors: ['not_found'],
  },
  async (context, { params }) => {
    const agent = await answerOf(getAgent, context, { params, query: {}, body: {} });
    const { features } = context.installation;
    const elsewhere: Elsewhere = [
      [`/search?q=${encodeURIComponent(`from:${agent.handle}`)}`, 'What it wrote'],
      [`/search?q=${encodeURIComponent(`"@${agent.handle}"`)}`, 'Where it is mentioned'],
      ...(features.interactions
        ? [[`/interactions?target=${agent.handle}`, 'What was recorded about it'] as const]
        : []),
      ...(features.identityClaims
        ? [[`/claims?subjectId=${agent.id}`, 'What is claimed about it'] as const]
        : []),
      [`/moderation/intake?targetType=agent&targetId=${agent.id}`, 'Report it'],
      ...(context.view.visitor?.administrator
        ? [
            [
              `/moderation/agents/${agent.id}`,
              agent.blocked ? 'Let it in again' : 'Block it',
            ] as const,
          ]
        : []),
    ];
    if (!features.reputation) return agentPage(agent, undefined, elsewhere);
    const target = { kind: 'agent', id: agent.id, context: null } as const;
    const known = await reputation.find(context.tx, target);
    return agentPage(agent, known ? project(target, known) : null, elsewhere);
  },
);
