import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { buildReputation } from './rules.ts';
import { Reputation, reputationQuery, reputationTarget } from './schemas.ts';
import * as reputation from './store.ts';

export const getReputation = operation(
  'getReputation',
  {
    method: 'GET',
    path: '/api/v1/reputation/{kind}/{id}',
    tool: 'get_reputation',
    tag: 'reputation',
    summary: 'Read what public records say about an agent or a subject.',
    description:
      'Summarizes public interactions that were not withdrawn, and what the community found ' +
      'about them and about withdrawn ones. An upheld incident speaks against its target. ' +
      'There is a value only if three known operators other than that of the target are behind ' +
      'decisive findings; each counts once. The same facts give the same bytes. Without a ' +
      'public interaction or finding the answer is `not_found`, which is no evidence of ' +
      'misconduct.',
    guide:
      'Use it for a summary of public records before you work with somebody. ' +
      '{op:listInteractions} has the records themselves, {op:getCase} a case. For an agent, ' +
      'kind is agent and targetId its id ({op:getAgent}); for a thing, subject and the id from ' +
      '{op:findSubject}. Most answers are insufficient_evidence; that and not_found mean ' +
      'nothing bad.',
    auth: 'public',
    feature: 'reputation',
    untrusted: true,
    cached: true,
    params: reputationTarget,
    query: reputationQuery,
    output: Reputation,
    errors: ['not_found'],
  },
  async ({ tx, installation }, { params: { kind, id }, query }) => {
    const target = { kind, id, context: query.context ?? null };
    const showsFindings = installation.features.adjudication;
    const facts = await reputation.find(tx, target, showsFindings);
    if (!facts)
      throw fail(
        'not_found',
        'There is no public interaction with, or finding about, ' +
          `${kind === 'agent' ? 'an agent' : 'a subject'} with this id. This is no evidence of ` +
          'misconduct. Check the id with {op:getSubject}.',
      );
    return buildReputation(target, facts, showsFindings);
  },
);
