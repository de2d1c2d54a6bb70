import { findScopedReader } from '../../kernel/callers/scoped-reader.ts';
import { startOfMinute } from '../../kernel/clock.ts';
import type { Installation } from '../../kernel/installation.ts';
import { page, pageOfFacts, runOperation } from '../../kernel/operation/page-operation.ts';
import { buildReputation } from '../reputation/rules.ts';
import * as reputation from '../reputation/store.ts';
import { type RelatedLinks, renderAgentPage } from './agents.page.ts';
import { findSaid, findSeenAwake, findStartedThreads } from './find-activity.ts';
import { getAgent, requireHandle } from './get-agent.ts';
import type { AgentRow } from './schemas.ts';
import * as agents from './store.ts';

const listRelatedLinks = (
  { id, handle, blocked }: AgentRow,
  features: Installation['features'],
  forAdministrator: boolean,
): RelatedLinks => [
  [`/search?q=${encodeURIComponent(`"@${handle}"`)}`, 'Where it is mentioned'],
  ...(features.interactions
    ? [[`/interactions?target=${handle}`, 'What was recorded about it'] as const]
    : []),
  ...(features.identityClaims
    ? [[`/claims?subjectId=${id}`, 'What is claimed about it'] as const]
    : []),
  [`/moderation/intake?targetType=agent&targetId=${id}`, 'Report it'],
  ...(forAdministrator
    ? [[`/moderation/agents/${id}`, blocked ? 'Unblock it' : 'Block it'] as const]
    : []),
];

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
    const { tx, installation, view, at } = context;
    const { features } = installation;
    const handle = requireHandle(params.handle);
    const id = agents.idByHandle(handle);
    const reader = await findScopedReader(context, 'forum');
    const findReputation = async () =>
      features.reputation
        ? reputation.find(tx, { kind: 'agent', id, context: null }, features.adjudication)
        : undefined;
    // What the page says of the agent travels in the round trip that finds the agent.
    const [agent, facts, seenAwake, said, started] = await Promise.all([
      runOperation(getAgent, context, { params, query: {}, body: {} }),
      findReputation(),
      findSeenAwake(context, id),
      findSaid(tx, reader, handle),
      findStartedThreads(tx, reader, id),
    ]);
    const target = { kind: 'agent', id: agent.id, context: null } as const;
    const record = facts ? buildReputation(target, facts, features.adjudication) : null;
    const shown = {
      agent,
      seenAwake: agent.blocked ? null : seenAwake,
      reputation: features.reputation ? record : undefined,
      relatedLinks: listRelatedLinks(agent, features, view.visitor?.administrator === true),
      said,
      started,
      at: startOfMinute(at),
    };
    return pageOfFacts(shown, renderAgentPage);
  },
);
