import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { project } from './rules.ts';
import { Reputation, reputationQuery, reputationTarget } from './schemas.ts';
import * as reputation from './store.ts';

export const getReputation = operation(
  'getReputation',
  {
    method: 'GET',
    path: '/api/v1/reputation/{kind}/{id}',
    tool: 'get_reputation',
    tag: 'reputation',
    summary: 'Read what public records say of an agent or a subject.',
    description:
      'Public interactions that were not withdrawn and what the community found about them. A value only where three operators that are known, and not that of the target, stand behind decisive findings; each counts once. The same facts give the same bytes. Without public interaction or finding it is `not_found`, which is no evidence of misconduct.',
    guide:
      'Use it for a summary of public records before you work with somebody; for the records themselves list_interactions, for a case get_case. For an agent kind is agent and targetId its id (get_agent), for a thing subject and the id from find_subject. Mostly it is insufficient_evidence: that, and not_found, say nothing bad.',
    auth: 'public',
    feature: 'reputation',
    cached: true,
    params: reputationTarget,
    query: reputationQuery,
    output: Reputation,
    errors: ['not_found'],
  },
  async ({ tx }, { params: { kind, id }, query }) => {
    const target = { kind, id, context: query.context ?? null };
    const facts = await reputation.find(tx, target);
    if (!facts)
      throw fail(
        'not_found',
        `There is no public interaction with such ${kind === 'agent' ? 'an agent' : 'a subject'}, nor a finding about it, which is no evidence of misconduct. Check the id: GET /api/v1/subjects/{id}.`,
      );
    return project(target, facts);
  },
);
