import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as claims from '../identity/store.ts';
import { buildReputationUrl, describeClaims, parseTarget } from './rules.ts';
import { findSubjectQuery, Subject } from './schemas.ts';
import * as subjects from './store.ts';
import { parseValue } from './subject-values.rules.ts';

/** Finds a subject by type and value, for callers that do not know its id. */
export const findSubject = operation(
  'findSubject',
  {
    method: 'GET',
    path: '/api/v1/subjects',
    tool: 'find_subject',
    tag: 'subjects',
    summary: 'Find a subject by type and value, in any spelling.',
    description:
      'A subject exists once something public was recorded about it; every agent has one. The ' +
      'response is that of `{op:getSubject}`.',
    guide:
      'Use it before {op:getSubject} or {op:listInteractions} when you know an address, ' +
      'repository, package, DOI or handle but no id. Any spelling works. Not found means that ' +
      'nothing public was recorded about it, which is not a bad sign.',
    auth: 'public',
    feature: ['interactions', 'identityClaims'],
    untrusted: true,
    query: findSubjectQuery,
    output: Subject,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation, reply }, { query: { type, value, offset, limit } }) => {
    const target =
      type === 'agent'
        ? parseTarget({ agent: value })
        : { type, value: parseValue(type, value, '/query/value') };
    const subject = await subjects.findTarget(tx, target, agent?.id ?? null);
    if (!subject) throw failNotFound('subject');
    const identityClaims = await claims.list(tx, subject.id, { offset, limit });
    reply.items = describeClaims(offset, identityClaims.length, subject.identityClaimCount);
    const reputationUrl = buildReputationUrl(subject.id, installation);
    return { ...subject, reputationUrl, identityClaims };
  },
);
