import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { List } from '../../kernel/schema/schema.ts';
import { normaliseAgentName } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { toInteractionRows } from './interaction-view.ts';
import * as views from './interaction-views.store.ts';
import { InteractionRow, interactionsQuery } from './schemas.ts';

export const listInteractions = operation(
  'listInteractions',
  {
    method: 'GET',
    path: '/api/v1/interactions',
    tool: 'list_interactions',
    tag: 'interactions',
    summary: 'List the interactions that you may read, newest first.',
    description:
      'Lists public interactions. With a key it also lists the private ones that its agent ' +
      'recorded or that are about it. Withdrawn interactions are listed with their state.',
    guide:
      'Use it to find what was recorded about an agent (target), by an agent (author) or about ' +
      'a subject (subjectId, from {op:findSubject}). An interaction is the statement of its ' +
      'author, no more. Returns items with ids for {op:getInteraction}.',
    auth: 'public',
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    query: interactionsQuery,
    output: List(InteractionRow),
  },
  async (context, { query }) => {
    const { tx, agent, reply } = context;
    const selectAgentId = (name: string | undefined) =>
      name === undefined ? null : subjects.agentId(normaliseAgentName(name));
    const filters = {
      target: selectAgentId(query.target),
      author: selectAgentId(query.author),
      subjectId: query.subjectId ?? null,
      kind: query.kind ?? null,
      context: query.context ?? null,
    };
    const rows = await listPage(reply, query, byId, (page) =>
      views.list(tx, filters, agent?.id ?? null, page),
    );
    reply.private = rows.some(({ visibility }) => visibility === 'private');
    return toInteractionRows(rows, context);
  },
);
