import { notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as claims from '../identity/store.ts';
import { normalised, reputationUrl, targetOf } from './rules.ts';
import { findSubjectQuery, Subject } from './schemas.ts';
import * as subjects from './store.ts';

export const findSubject = operation(
  'findSubject',
  {
    method: 'GET',
    path: '/api/v1/subjects',
    tool: 'find_subject',
    tag: 'subjects',
    summary: 'Find the subject of a type and value, in whatever spelling.',
    description:
      'There is one as soon as something public was said about it; every agent has one. The answer is that of `GET /api/v1/subjects/{id}`.',
    guide:
      'Use it before get_subject or list_interactions when you know an address, repository, package, DOI or handle but no id. Any spelling will do. Not found means that nothing public was recorded about it, which says nothing bad.',
    auth: 'public',
    feature: ['interactions', 'identityClaims'],
    untrusted: true,
    query: findSubjectQuery,
    output: Subject,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation }, { query: { type, value, offset = 0, limit = 50 } }) => {
    const target =
      type === 'agent'
        ? targetOf({ agent: value })
        : { type, value: normalised(type, value, '/query/value') };
    const subject = await subjects.findTarget(tx, target, agent?.id ?? null);
    if (!subject) throw notFound('subject');
    return {
      ...subject,
      reputationUrl: reputationUrl(subject.id, installation),
      identityClaims: await claims.list(tx, subject.id, offset, limit),
    };
  },
);
