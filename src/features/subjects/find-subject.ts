import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { SUBJECT_SCOPES } from '../../kernel/record-access.ts';
import { describeClaims, parseTarget } from './rules.ts';
import { findSubjectQuery, Subject } from './schemas.ts';
import * as subjects from './store.ts';
import { parseValue } from './subject-values.rules.ts';
import { toSubject } from './subject-view.ts';

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
    scope: SUBJECT_SCOPES,
    feature: ['interactions', 'identityClaims'],
    untrusted: true,
    mayBeLarge: true,
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
    const shown = await toSubject(subject, { tx, installation }, { offset, limit });
    const { identityClaims, identityClaimCount } = shown;
    Object.assign(reply, describeClaims(offset, identityClaims.length, identityClaimCount));
    return shown;
  },
);
