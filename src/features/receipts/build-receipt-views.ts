import type { Queryable } from '../../db/database.ts';
import type { Agent, AgentKey } from '../../kernel/callers/caller.ts';
import { buildCompactJws, RECEIPT_ALG } from '../../kernel/crypto/jws.ts';
import type { Signer } from '../../kernel/crypto/signer.ts';
import type { Installation } from '../../kernel/installation.ts';
import { findProofs } from '../log/proof.store.ts';
import type { LogProof } from '../log/schemas.ts';
import { canonicalizePayload, toReceiptPayload } from './receipt-payload.ts';
import { getSignatures } from './receipt-signatures.ts';
import type { ReceiptSubject } from './receipt-subjects.ts';
import { type SubjectStatus, toCurrentState } from './rules.ts';
import type { PortableEventView } from './schemas.ts';
import type * as signaturesStore from './signatures.store.ts';
import type * as receipts from './store.ts';
import { formatSummary } from './summary.rules.ts';

/** The reader, the time, and what it takes to build a view of a receipt. */
export interface ReceiptContext {
  readonly tx: Queryable;
  readonly agent: Agent | null;
  readonly key: AgentKey | null;
  readonly installation: Installation;
  readonly sign: Signer['sign'];
  readonly now: string;
}

const buildUnknownStatus = (type: string): SubjectStatus => ({
  state: 'current',
  supersededBy: null,
  path: '',
  name: `the ${type.replaceAll('_', ' ')}`,
});

interface ViewParts {
  readonly canonical: string;
  readonly sha256: string;
  readonly status: SubjectStatus;
  readonly signature: signaturesStore.StoredSignature;
  readonly log: LogProof | null;
}

function toView(
  event: receipts.StoredReceipt,
  { canonical, sha256, status, signature, log }: ViewParts,
  { installation: { baseUrl, service }, now }: ReceiptContext,
): PortableEventView {
  const { id, kind, visibility, occurredAt, actor, subject } = event;
  const { state, supersededBy } = toCurrentState(id, status);
  const { kid } = signature;
  return {
    id,
    kind,
    visibility,
    occurredAt,
    actor,
    subject: { ...subject, url: `${baseUrl}/api/v1/${status.path}` },
    summary: formatSummary(event, status),
    receipt: {
      payload: toReceiptPayload(event) as PortableEventView['receipt']['payload'],
      canonical,
      sha256,
      jws: buildCompactJws(kid, canonical, signature.signature),
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

/** Builds the views of receipts that the reader may read. */
export async function buildViews(
  events: readonly receipts.StoredReceipt[],
  subjects: ReadonlyMap<string, ReceiptSubject>,
  context: ReceiptContext,
): Promise<PortableEventView[]> {
  const wanted = events.map((event) => ({
    id: event.id,
    event,
    ...canonicalizePayload(toReceiptPayload(event)),
  }));
  const ids = events.map(({ id }) => id);
  const [signatures, proofs] = await Promise.all([
    getSignatures(context.tx, context.sign, wanted),
    findProofs(context.tx, ids),
  ]);
  return wanted.map(({ id, event, canonical, sha256 }) => {
    const status = subjects.get(event.subject.id) ?? buildUnknownStatus(event.subject.type);
    const signature = signatures.get(id) as signaturesStore.StoredSignature;
    return toView(
      event,
      {
        canonical,
        sha256: sha256.toString('hex'),
        status,
        signature,
        log: proofs.get(id) ?? null,
      },
      context,
    );
  });
}
