import { setImmediate as nextTurn } from 'node:timers/promises';
import { failNotFound } from '../../kernel/access.ts';
import type { Agent, AgentKey } from '../../kernel/callers/caller.ts';
import { findRefusal } from '../../kernel/callers/callers.ts';
import type { StoaError } from '../../kernel/errors.ts';
import { mapInTurns } from '../../kernel/map-in-turns.ts';
import { mayReadReceipt } from '../../kernel/record-access.ts';
import type { Scope } from '../../kernel/scopes.ts';
import { buildViews, type ReceiptContext } from './build-receipt-views.ts';
import { listSubjects, type ReceiptSubject } from './receipt-subjects.ts';
import type { PortableEventView } from './schemas.ts';
import * as receipts from './store.ts';

/** How many views are built before others get their turn: about 15 ms. 500 take 0.1 to 0.3 s. */
const VIEWS_OF_TURN = 25;

type Subjects = ReadonlyMap<string, ReceiptSubject>;
type Refusals = Map<string, Promise<StoaError | undefined>>;

const mayRead = ({ visibility, subject }: receipts.StoredReceipt, subjects: Subjects): boolean =>
  mayReadReceipt({ visibility, role: subjects.get(subject.id)?.role ?? null });

/**
 * Finds what the key lacks for a receipt that its agent may read: for a private one the scope of
 * the act, or `credentials`. Receipts of the same scopes share one answer.
 */
function findKeyRefusal(
  { visibility, subject }: receipts.StoredReceipt,
  subjects: Subjects,
  { tx, agent, key }: ReceiptContext,
  known: Refusals,
): Promise<StoaError | undefined> {
  if (visibility === 'public' || !agent || !key) return Promise.resolve(undefined);
  const own = subjects.get(subject.id)?.scopes ?? [];
  const scopes = [...new Set<Scope>([...own, 'credentials'])];
  const name = scopes.join();
  const found = known.get(name) ?? findRefusal(tx, agent, key, scopes);
  known.set(name, found);
  return found;
}

/**
 * Returns the view of one receipt. Errors: `not_found`, also for a receipt that the reader may not
 * know of; `insufficient_scope`, `capability_not_active`, `capability_revoked` for a private one
 * that the agent may read, but not with this key.
 */
export async function getView(id: string, context: ReceiptContext): Promise<PortableEventView> {
  const { tx, agent, installation } = context;
  const [event] = await receipts.listReceipts(tx, [id], installation);
  // This also runs if there is no such receipt, so that the response takes the same time.
  const subjects = await listSubjects(
    tx,
    [event?.subject ?? { type: 'message', id }],
    agent?.id ?? null,
  );
  if (!event || !mayRead(event, subjects)) throw failNotFound('receipt');
  const refusal = await findKeyRefusal(event, subjects, context, new Map());
  if (refusal) throw refusal;
  const [view] = await buildViews([event], subjects, context);
  // buildViews returns one view for each event.
  return view as PortableEventView;
}

interface ListedViews {
  readonly views: PortableEventView[];
  /** The first receipt that the agent may read, but not with this key. The views end before it. */
  readonly stop: { readonly id: string; readonly refusal: StoaError } | null;
}

/**
 * Returns the views of those of these receipts that the agent may read now, in the order of the
 * ids, up to the first that needs another key.
 */
export async function listViews(
  ids: readonly string[],
  context: ReceiptContext & { readonly agent: Agent; readonly key: AgentKey },
): Promise<ListedViews> {
  const { tx, agent, installation } = context;
  const events = await receipts.listReceipts(tx, ids, installation);
  const subjects = await listSubjects(
    tx,
    events.map(({ subject }) => subject),
    agent.id,
  );
  const byId = new Map(events.map((event) => [event.id, event]));
  const refusals: Refusals = new Map();
  const readable: receipts.StoredReceipt[] = [];
  let stop: ListedViews['stop'] = null;
  for (const id of ids) {
    const event = byId.get(id);
    if (!event || !mayRead(event, subjects)) continue;
    const refusal = await findKeyRefusal(event, subjects, context, refusals);
    if (refusal) {
      stop = { id, refusal };
      break;
    }
    readable.push(event);
  }
  // It waits for no queue, because others wait for the turn that its caller has.
  const views = await mapInTurns(readable, VIEWS_OF_TURN, nextTurn, (slice) =>
    buildViews(slice, subjects, context),
  );
  return { views, stop };
}

/** Formats a view without `checkedAt`, as the input of its ETag. */
export const formatVersion = ({
  current: { checkedAt: _, ...current },
  ...rest
}: PortableEventView): string => JSON.stringify({ ...rest, current });
