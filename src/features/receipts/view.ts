import type { Queryable } from '../../db/database.ts';
import { mayReadReceipt, notFound } from '../../kernel/access.ts';
import type { Agent, AgentKey } from '../../kernel/callers/caller.ts';
import { refusalOf } from '../../kernel/callers/callers.ts';
import type { Installation } from '../../kernel/installation.ts';
import { compactJws, RECEIPT_ALG } from '../../kernel/crypto/jws.ts';
import type { Signer } from '../../kernel/crypto/signer.ts';
import { findProofs } from '../log/proof.store.ts';
import type { LogProof } from '../log/schemas.ts';
import { canonicalOf, payloadOf } from './receipt-payload.ts';
import { currentOf, type Standing, summaryOf } from './rules.ts';
import type { PortableEventView } from './schemas.ts';
import { signaturesOf } from './signatures.ts';
import * as receipts from './store.ts';
import { listSubjects, type Subject } from './receipt-subjects.ts';

/** Who looks, at what moment, and what it takes to answer. */
export interface Looking {
  readonly tx: Queryable;
  readonly agent: Agent | null;
  readonly key: AgentKey | null;
  readonly installation: Installation;
  readonly sign: Signer['sign'];
  readonly now: string;
}

const unknown = (type: string): Standing => ({
  state: 'current',
  supersededBy: null,
  path: '',
  name: `the ${type.replaceAll('_', ' ')}`,
});

interface Parts {
  readonly canonical: string;
  readonly sha256: string;
  readonly standing: Standing;
  readonly signature: receipts.StoredSignature;
  readonly log: LogProof | null;
}

function view(
  event: receipts.StoredEvent,
  { canonical, sha256, standing, signature, log }: Parts,
  { installation: { baseUrl, service }, now }: Looking,
): PortableEventView {
  const { id, kind, visibility, occurredAt, actor, subject } = event;
  const { path } = standing;
  const { state, supersededBy } = currentOf(id, standing);
  const { kid } = signature;
  return {
    id,
    kind,
    visibility,
    occurredAt,
    actor,
    subject: { ...subject, url: `${baseUrl}/api/v1/${path}` },
    summary: summaryOf(event, standing),
    receipt: {
      payload: payloadOf(event) as PortableEventView['receipt']['payload'],
      canonical,
      sha256,
      jws: compactJws(kid, canonical, signature.signature),
      kid,
      alg: RECEIPT_ALG,
    },
    log,
    current: { state, supersededBy, checkedAt: now },
    links: {
      self: `${baseUrl}/e/${id}.json`,
      page: `${baseUrl}/e/${id}`,
      jwks: `${baseUrl}/.well-known/${service}-jwks.json`,
      manifest: `${baseUrl}/.well-known/${service}.json`,
      verifier: `${baseUrl}/examples/reproduce.py`,
    },
  };
}

/** The views of acts whose receipts the reader may read. */
async function viewsOf(
  events: readonly receipts.StoredEvent[],
  subjects: ReadonlyMap<string, Subject>,
  looking: Looking,
): Promise<PortableEventView[]> {
  const wanted = events.map((event) => ({ id: event.id, event, ...canonicalOf(payloadOf(event)) }));
  const ids = events.map(({ id }) => id);
  const [signatures, proofs] = await Promise.all([
    signaturesOf(looking.tx, looking.sign, wanted),
    findProofs(looking.tx, ids),
  ]);
  return wanted.map(({ id, event, canonical, sha256 }) => {
    const standing = subjects.get(event.subject.id) ?? unknown(event.subject.type);
    const signature = signatures.get(id) as receipts.StoredSignature;
    return view(
      event,
      {
        canonical,
        sha256: sha256.toString('hex'),
        standing,
        signature,
        log: proofs.get(id) ?? null,
      },
      looking,
    );
  });
}

const mayRead = (
  { visibility, subject }: receipts.StoredEvent,
  subjects: ReadonlyMap<string, Subject>,
): boolean => mayReadReceipt({ visibility, role: subjects.get(subject.id)?.role ?? null });

/**
 * One receipt. Errors: `not_found`, also for one that the reader may not know of; `insufficient_scope`, `capability_not_active`,
 * `capability_revoked` for a private one that the agent may read, but not with this key.
 */
export async function findView(id: string, looking: Looking): Promise<PortableEventView> {
  const { tx, agent, key, installation } = looking;
  const [event] = await receipts.listEvents(tx, [id], installation);
  // Looked for also when there is no such act: the answer must not take another time then.
  const subjects = await listSubjects(
    tx,
    [event?.subject ?? { type: 'message', id }],
    agent?.id ?? null,
  );
  if (!event || !mayRead(event, subjects)) throw notFound('receipt');
  const refusal =
    event.visibility === 'private' && agent && key
      ? await refusalOf(tx, agent, key, 'credentials')
      : undefined;
  if (refusal) throw refusal;
  // One event in, one view out.
  return (await viewsOf([event], subjects, looking))[0] as PortableEventView;
}

/** Those of these receipts that the reader may read now, with this key, in the order of the ids. */
export async function listViews(
  ids: readonly string[],
  looking: Looking & { readonly agent: Agent; readonly key: AgentKey },
): Promise<PortableEventView[]> {
  const { tx, agent, key, installation } = looking;
  const events = await receipts.listEvents(tx, ids, installation);
  const subjects = await listSubjects(
    tx,
    events.map(({ subject }) => subject),
    agent.id,
  );
  const open =
    events.every(({ visibility }) => visibility === 'public') ||
    !(await refusalOf(tx, agent, key, 'credentials'));
  const readable = events.filter(
    (event) => (open || event.visibility === 'public') && mayRead(event, subjects),
  );
  const views = new Map((await viewsOf(readable, subjects, looking)).map((one) => [one.id, one]));
  return ids.flatMap((id) => views.get(id) ?? []);
}

/** A view but for when it was looked up: what its ETag is made of. */
export const versionOf = ({
  current: { checkedAt: _, ...current },
  ...view
}: PortableEventView): string => JSON.stringify({ ...view, current });
