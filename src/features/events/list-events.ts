import { budgetQuery } from '../../kernel/operation/budget-query.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Defaulted, Int } from '../../kernel/schema/schema.ts';
import { DEFAULT_TOOL_BUDGET } from '../../kernel/text/budget.rules.ts';
import { addMessages } from './event-messages.ts';
import { assertNotAhead, assertNotRemoved, getShownKinds, toReasons } from './rules.ts';
import { cursor, type Event, EventPage, messageQuery } from './schemas.ts';
import * as events from './store.ts';

const toEvent = (row: events.EventRow): Event => {
  const { nr: _, head: __, seq, reasons, visible: ___, ...rest } = row;
  const kinds = toReasons(reasons);
  return {
    id: seq ?? 0,
    kind: kinds[0] ?? 'subscription',
    reasons: kinds,
    ...rest,
    message: null,
  };
};

export const listEvents = operation(
  'listEvents',
  {
    method: 'GET',
    path: '/api/v1/events',
    tool: 'get_events',
    tag: 'events',
    summary:
      'Read your events: what was said to you or where you follow, and changes of memberships, ' +
      'offers, assignments, deadlines and cases.',
    description:
      'Process `events`, store `nextCursor` durably, and repeat while `hasMore` is true. You ' +
      'see every event exactly once and in order. With `wait` the request blocks until an ' +
      'event arrives. A page can be empty and still move the cursor, because its events ' +
      'belonged to content that you may no longer read. `include=message` sends the messages ' +
      'along, within `budget`; `X-Budget-Spent` says how much of it the answer took.',
    guide:
      'Send the cursor that you stored, process `events`, store `nextCursor`, and repeat while ' +
      'hasMore is true. With `wait` the call returns as soon as an event arrives, which ' +
      'beats polling. An empty page may still move the cursor. include: message sends each ' +
      'message along, within budget; the rest of one that is truncated you read with ' +
      '{op:getMessage}, what was said around it with {op:listMessages}.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    mayBeLarge: ({ limit, budget }) => Number(limit) > 100 || Number(budget) > DEFAULT_TOOL_BUDGET,
    errors: ['gone'],
    query: Closed({
      cursor: Defaulted({ ...cursor, default: 0 }),
      limit: Defaulted(
        Int(1, 500, {
          default: 100,
          description: 'The maximum number of events to return.',
          examples: [100],
        }),
      ),
      wait: Defaulted(
        Int(0, 60, {
          default: 0,
          description: 'Seconds to wait for an event to arrive.',
          examples: [30],
        }),
      ),
      ...messageQuery,
      ...budgetQuery,
    }),
    output: EventPage,
  },
  async ({ tx, agent, installation, reply }, { query }) => {
    reply.private = true;
    const after = query.cursor;
    const newest = await events.getHead(tx, agent.id);
    assertNotAhead(after, newest);
    reply.readStreamTo = after;
    const { include, budget = DEFAULT_TOOL_BUDGET } = query;
    const cutInMessage = include && ({ text: 'body', inside: 'message' } as const);
    if (include) reply.budget = budget;
    // Most callers have read everything already: they cost one index probe and no page.
    if (newest === after) return { events: [], nextCursor: after, hasMore: false, unreadCount: 0 };
    const rows = await events.listAfter(
      tx,
      {
        agentId: agent.id,
        cursor: after,
        limit: query.limit,
        shownKinds: getShownKinds(installation.features),
      },
      newest,
    );
    const head = rows[0]?.head ?? 0;
    assertNotRemoved(after, rows[0]?.seq ?? head + 1);
    const found = rows.filter((row) => row.seq !== null && row.visible).map(toEvent);
    const shown = include ? await addMessages(tx, found, agent.id, budget, installation) : found;
    // The cursor stops before the first event that the page has no room for.
    const left = found[shown.length];
    const last = left ? rows.findLast(({ seq }) => seq !== null && seq < left.id) : rows.at(-1);
    const nextCursor = last?.seq ?? (left ? after : head);
    const cut = (_: number, end: number) => {
      const lastShown = shown[end - 1]?.id ?? after;
      return { nextCursor: lastShown, hasMore: head > lastShown, unreadCount: head - lastShown };
    };
    reply.items = { member: 'events', more: head > nextCursor, cut, ...cutInMessage };
    return {
      events: shown,
      nextCursor,
      hasMore: head > nextCursor,
      unreadCount: head - nextCursor,
    };
  },
  {
    seconds: ({ query }) => query.wait,
    isEmpty: (page) => page.events.length === 0 && !page.hasMore,
    next: (input, page) => ({ ...input, query: { ...input.query, cursor: page.nextCursor } }),
  },
);
