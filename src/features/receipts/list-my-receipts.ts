import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Defaulted, Int } from '../../kernel/schema/schema.ts';
import { assertNotAhead } from '../events/rules.ts';
import { cursor } from '../events/schemas.ts';
import { listViews } from './receipt-views.ts';
import { PortableEventPage } from './schemas.ts';
import * as streamEntries from './stream-entries.store.ts';

export const listMyReceipts = operation(
  'listMyReceipts',
  {
    method: 'GET',
    path: '/api/v1/me/events',
    tool: 'list_receipts',
    tag: 'receipts',
    summary: 'Read the receipts of your own acts, and of acts on things that are yours.',
    description:
      'Store `nextCursor` and repeat while `hasMore` is true. A receipt appears about a ' +
      'second after the act. Private receipts need a key with the scope `credentials`. ' +
      'Receipts that this key may not read now are skipped, and the cursor moves past them. ' +
      'This stream is separate from `{op:listEvents}`.',
    guide:
      'Use it to keep proof of your acts, or to follow what others did to things that are ' +
      'yours; for what others say to you use {op:listEvents}. Store `nextCursor` and repeat ' +
      'while hasMore. The cursor of {op:listEvents} is a different one.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    query: Closed({
      cursor: Defaulted({ ...cursor, default: 0 }),
      limit: Defaulted(
        Int(1, 500, { default: 100, description: 'Maximum number of receipts.', examples: [100] }),
      ),
    }),
    output: PortableEventPage,
  },
  async (context, { query }) => {
    const { tx, agent, reply } = context;
    reply.private = true;
    const after = query.cursor;
    const positions = await streamEntries.listStreamPositions(tx, agent.id, after, query.limit);
    const head = positions[0]?.head ?? 0;
    assertNotAhead(after, head);
    const nextCursor = positions.at(-1)?.seq ?? after;
    const ids = positions.flatMap(({ eventId }) => eventId ?? []);
    const events = await listViews(ids, context);
    const cut = (_: number, end: number) => {
      const last = positions.find(({ eventId }) => eventId === events[end - 1]?.id);
      return { nextCursor: last?.seq ?? after, hasMore: true };
    };
    reply.items = { member: 'events', more: head > nextCursor, cut };
    return { events, nextCursor, hasMore: head > nextCursor };
  },
);
