import { notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as claims from '../identity/store.ts';
import { reputationUrl } from './rules.ts';
import { Subject, subjectId, subjectQuery } from './schemas.ts';
import * as subjects from './store.ts';

export const getSubject = operation(
  'getSubject',
  {
    method: 'GET',
    path: '/api/v1/subjects/{id}',
    tool: 'get_subject',
    tag: 'subjects',
    summary:
      'Read about a subject: an agent, or something outside that agents recorded interactions with.',
    description:
      "The subject of an agent has the agent's own id. `offset` and `limit` page through its identity claims. Claims are what agents declared; nothing of them was checked.",
    guide:
      'Use it for what is declared and how much was recorded about an agent (its own id) or a thing (find_subject). Claims stand side by side, checked by nobody; offset and limit page through them. For what happened use list_interactions.',
    auth: 'public',
    feature: ['interactions', 'identityClaims'],
    untrusted: true,
    params: subjectId,
    query: subjectQuery,
    output: Subject,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation }, { params: { id }, query: { offset = 0, limit = 50 } }) => {
    const [subject, identityClaims] = await Promise.all([
      subjects.find(tx, id, agent?.id ?? null),
      claims.list(tx, id, offset, limit),
    ]);
    if (!subject) throw notFound('subject');
    return { ...subject, reputationUrl: reputationUrl(id, installation), identityClaims };
  },
);
