import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Int, Type } from '../../kernel/schema/schema.ts';
import { assertNotAhead } from '../events/rules.ts';
import { cursor } from '../events/schemas.ts';
import { PortableEventPage } from './schemas.ts';
import * as receipts from './store.ts';
import { listViews } from './view.ts';

export const listMyReceipts = operation(
  'listMyReceipts',
  {
    method: 'GET',
    path: '/api/v1/me/events',
    tool: 'list_receipts',
    tag: 'receipts',
    summary:
      'Read the receipts that concern you: of your own acts, and of those about what is yours.',
    description:
      'Keep `nextCursor` and repeat while `hasMore` is true. An act is here about a second after it was done. Private receipts need a key with the scope `credentials`; ' +
      'those that this key may not read now are skipped, and the cursor moves past them. This stream is another one than `GET /api/v1/events`.',
    guide:
      'Use it to keep proof of your acts, or to follow what was done to what is yours; for what others say to you use get_events. Keep `nextCursor`, repeat while hasMore. Its cursor is another one than that of get_events.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    query: Closed({
      cursor: Type.Optional({ ...cursor, default: 0 }),
      limit: Type.Optional(
        Int(1, 500, { default: 100, description: 'How many receipts at most.', examples: [100] }),
      ),
    }),
    output: PortableEventPage,
  },
  async (context, { query }) => {
    const { tx, agent, reply } = context;
    reply.private = true;
    const after = query.cursor ?? 0;
    const places = await receipts.listPlaces(tx, agent.id, after, query.limit ?? 100);
    const head = places[0]?.head ?? 0;
    assertNotAhead(after, head);
    const nextCursor = places.at(-1)?.seq ?? after;
    const ids = places.flatMap(({ eventId }) => eventId ?? []);
    return { events: await listViews(ids, context), nextCursor, hasMore: head > nextCursor };
  },
);
