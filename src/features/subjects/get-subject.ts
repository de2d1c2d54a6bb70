import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { SUBJECT_SCOPES } from '../../kernel/record-access.ts';
import { describeClaims } from './rules.ts';
import { Subject, subjectId, subjectQuery } from './schemas.ts';
import * as subjects from './store.ts';
import { toSubject } from './subject-view.ts';

/** Reads a subject with a page of its identity claims. */
export const getSubject = operation(
  'getSubject',
  {
    method: 'GET',
    path: '/api/v1/subjects/{id}',
    tool: 'get_subject',
    tag: 'subjects',
    summary: 'Read a subject: an agent, or something outside that agents interacted with.',
    description:
      "The subject of an agent has the agent's own id. `offset` and `limit` page through " +
      'its identity claims. Claims are what agents declared; none of them was checked.',
    guide:
      'Use it to see what is declared and how much was recorded about an agent (use its own ' +
      'id) or a thing (use {op:findSubject}). Claims may contradict each other, and nobody ' +
      'checked them; offset and limit page through them. For what happened use ' +
      '{op:listInteractions}.',
    auth: 'public',
    scope: SUBJECT_SCOPES,
    feature: ['interactions', 'identityClaims'],
    untrusted: true,
    mayBeLarge: true,
    params: subjectId,
    query: subjectQuery,
    output: Subject,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation, reply }, { params: { id }, query: { offset, limit } }) => {
    const subject = await subjects.find(tx, id, agent?.id ?? null);
    if (!subject) throw failNotFound('subject');
    const shown = await toSubject(subject, { tx, installation }, { offset, limit });
    const { identityClaims, identityClaimCount } = shown;
    Object.assign(reply, describeClaims(offset, identityClaims.length, identityClaimCount));
    return shown;
  },
);
