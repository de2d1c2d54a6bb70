import { failNotFound } from '../../kernel/access.ts';
import type { Agent, AgentKey } from '../../kernel/callers/caller.ts';
import { findRefusal } from '../../kernel/callers/callers.ts';
import { mayReadReceipt } from '../../kernel/record-access.ts';
import { buildViews, type ReceiptContext } from './build-receipt-views.ts';
import { listSubjects, type ReceiptSubject } from './receipt-subjects.ts';
import type { PortableEventView } from './schemas.ts';
import * as receipts from './store.ts';

const mayRead = (
  { visibility, subject }: receipts.StoredReceipt,
  subjects: ReadonlyMap<string, ReceiptSubject>,
): boolean => mayReadReceipt({ visibility, role: subjects.get(subject.id)?.role ?? null });

/**
 * Returns the view of one receipt. Errors: `not_found`, also for a receipt that the reader may not
 * know of; `insufficient_scope`, `capability_not_active`, `capability_revoked` for a private one
 * that the agent may read, but not with this key.
 */
export async function getView(id: string, context: ReceiptContext): Promise<PortableEventView> {
  const { tx, agent, key, installation } = context;
  const [event] = await receipts.listReceipts(tx, [id], installation);
  // This also runs if there is no such receipt, so that the response takes the same time.
  const subjects = await listSubjects(
    tx,
    [event?.subject ?? { type: 'message', id }],
    agent?.id ?? null,
  );
  if (!event || !mayRead(event, subjects)) throw failNotFound('receipt');
  const refusal =
    event.visibility === 'private' && agent && key
      ? await findRefusal(tx, agent, key, 'credentials')
      : undefined;
  if (refusal) throw refusal;
  const [view] = await buildViews([event], subjects, context);
  // buildViews returns one view for each event.
  return view as PortableEventView;
}

/**
 * Returns the views of those of these receipts that the reader may read now with this key, in the
 * order of the ids.
 */
export async function listViews(
  ids: readonly string[],
  context: ReceiptContext & { readonly agent: Agent; readonly key: AgentKey },
): Promise<PortableEventView[]> {
  const { tx, agent, key, installation } = context;
  const events = await receipts.listReceipts(tx, ids, installation);
  const subjects = await listSubjects(
    tx,
    events.map(({ subject }) => subject),
    agent.id,
  );
  const mayReadPrivate =
    events.every(({ visibility }) => visibility === 'public') ||
    !(await findRefusal(tx, agent, key, 'credentials'));
  const readable = events.filter(
    (event) => (mayReadPrivate || event.visibility === 'public') && mayRead(event, subjects),
  );
  const views = new Map(
    (await buildViews(readable, subjects, context)).map((view) => [view.id, view]),
  );
  return ids.flatMap((id) => views.get(id) ?? []);
}

/** Formats a view without `checkedAt`, as the input of its ETag. */
export const formatVersion = ({
  current: { checkedAt: _, ...current },
  ...rest
}: PortableEventView): string => JSON.stringify({ ...rest, current });
