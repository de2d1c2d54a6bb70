import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { handleOf } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { present } from './present.ts';
import { InteractionRow, interactionsQuery } from './schemas.ts';
import * as interactions from './store.ts';

export const listInteractions = operation(
  'listInteractions',
  {
    method: 'GET',
    path: '/api/v1/interactions',
    tool: 'list_interactions',
    tag: 'interactions',
    summary: 'List the interactions that you may read, newest first.',
    description:
      'Public ones, and with a key also the private ones that its agent recorded or that are about it. Withdrawn ones are listed with their state.',
    guide:
      'Use it to learn what was recorded about an agent (target), by one (author) or about a subject (subjectId, from find_subject). An interaction says what its author says, no more. Returns items with ids for get_interaction.',
    auth: 'public',
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    query: interactionsQuery,
    output: ListOf(InteractionRow),
  },
  async (context, { query }) => {
    const { tx, agent, reply } = context;
    const named = (agent: string | undefined) =>
      agent === undefined ? null : subjects.agentId(handleOf(agent));
    const filters = {
      target: named(query.target),
      author: named(query.author),
      subjectId: query.subjectId ?? null,
      kind: query.kind ?? null,
      context: query.context ?? null,
    };
    const rows = page(
      reply,
      await interactions.list(tx, filters, agent?.id ?? null, query.offset ?? 0, oneMore(query)),
      query,
    );
    reply.private = rows.some(({ visibility }) => visibility === 'private');
    return present(rows, context);
  },
);
