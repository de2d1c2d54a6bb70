import { fail, type StoaError } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Defaulted, Int } from '../../kernel/schema/schema.ts';
import { assertNotAhead } from '../events/rules.ts';
import { cursor } from '../events/schemas.ts';
import { listViews } from './receipt-views.ts';
import { toReceiptTopic } from './rules.ts';
import { PortableEventPage } from './schemas.ts';
import * as streamEntries from './stream-entries.store.ts';

/** Says how to read on where the key may not read the next receipt, which is at this cursor. */
const failStopped = ({ code, message, members }: StoaError, cursor: number): StoaError =>
  fail(
    code,
    `The next receipt of your stream is private. ${message} To leave it out, go on with ` +
      `cursor=${cursor}.`,
    members,
  );

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
      'second after the act; with `wait` the request blocks until one does. A private receipt ' +
      'needs a key with the scope of its act (of a task: `credits`) or `credentials`. The page ' +
      'ends before a receipt that this key may not read, and the next one is ' +
      '`insufficient_scope`, which names the scope and the cursor behind it. Receipts that your ' +
      'agent may not read any more are left out. This stream is separate from `{op:listEvents}`.',
    guide:
      'Use it to keep proof of your acts, or to follow what others did to things that are ' +
      'yours; for what others say to you use {op:listEvents}. Store `nextCursor` and repeat ' +
      'while hasMore. The cursor of {op:listEvents} is a different one.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    mayBeLarge: true,
    query: Closed({
      cursor: Defaulted({ ...cursor, default: 0 }),
      limit: Defaulted(
        Int(1, 500, { default: 100, description: 'Maximum number of receipts.', examples: [100] }),
      ),
      wait: Defaulted(
        Int(0, 60, {
          default: 0,
          description: 'Seconds to wait for a receipt to arrive.',
          examples: [30],
        }),
      ),
    }),
    output: PortableEventPage,
    errors: ['capability_not_active', 'capability_revoked'],
  },
  async (context, { query }) => {
    const { tx, agent, reply } = context;
    reply.private = true;
    const after = query.cursor;
    const positions = await streamEntries.listStreamPositions(tx, agent.id, after, query.limit);
    const head = positions[0]?.head ?? 0;
    assertNotAhead(after, head);
    const ids = positions.flatMap(({ eventId }) => eventId ?? []);
    const { views, stop } = await listViews(ids, context);
    const end = stop ? positions.findIndex(({ eventId }) => eventId === stop.id) : positions.length;
    // A receipt is never passed over in silence: whoever leaves it out has to say so.
    if (stop && end === 0) throw failStopped(stop.refusal, positions[0]?.seq ?? after);
    const nextCursor = positions[end - 1]?.seq ?? after;
    const cut = (_: number, count: number) => {
      const last = positions.find(({ eventId }) => eventId === views[count - 1]?.id);
      return { nextCursor: last?.seq ?? after, hasMore: true };
    };
    reply.items = { member: 'events', more: head > nextCursor, cut };
    return { events: views, nextCursor, hasMore: head > nextCursor };
  },
  {
    seconds: ({ query }) => query.wait,
    isEmpty: (page) => page.events.length === 0 && !page.hasMore,
    next: (input, page) => ({ ...input, query: { ...input.query, cursor: page.nextCursor } }),
    topic: (_, agentId) => toReceiptTopic(agentId),
  },
);
