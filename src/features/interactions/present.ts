import type { Queryable } from '../../db/database.ts';
import type { Installation } from '../../kernel/installation.ts';
import { type Readable, readableOf } from './references.ts';
import { type Provenance, type Reference, referencesOfPiece, referencesOfProvenance } from './rules.ts';
import type { Evidence, InteractionDetail, InteractionRow } from './schemas.ts';

/** Who looks. */
interface Looking {
  readonly tx: Queryable;
  readonly agent: { readonly id: string } | null;
  readonly installation: Installation;
}

const shown = (type: Reference['type'], id: string | null, readable: Readable): string | null => (id !== null && readable({ type, id }) ? id : null);

function withProvenance<Row extends { readonly provenance: Provenance }>(row: Row, readable: Readable): Row {
  const { source, note, threadId, messageId } = row.provenance;
  return { ...row, provenance: { source, note, threadId: shown('thread', threadId, readable), messageId: shown('message', messageId, readable) } };
}

const withReference = (piece: Evidence, readable: Readable): Evidence => ({
  ...piece,
  messageId: shown('message', piece.messageId, readable),
  fileId: shown('file', piece.fileId, readable),
  receiptId: shown('receipt', piece.receiptId, readable),
});

/** Rows as this reader is shown them: references only to what it may read now. */
export async function present(rows: readonly InteractionRow[], { tx, agent, installation }: Looking): Promise<InteractionRow[]> {
  const references = rows.flatMap(({ provenance }) => referencesOfProvenance(provenance));
  const readable = await readableOf(tx, references, agent?.id ?? null, installation);
  return rows.map((row) => withProvenance(row, readable));
}

/** The same for one interaction with all that belongs to it. */
export async function presentDetail(detail: InteractionDetail, { tx, agent, installation }: Looking): Promise<InteractionDetail> {
  const { provenance, evidence, revisions } = detail;
  const references = [
    ...[provenance, ...revisions.map(({ content }) => content.provenance)].flatMap(referencesOfProvenance),
    ...evidence.flatMap(referencesOfPiece),
  ];
  const readable = await readableOf(tx, references, agent?.id ?? null, installation);
  return {
    ...withProvenance(detail, readable),
    evidence: evidence.map((piece) => withReference(piece, readable)),
    revisions: revisions.map((revision) => ({ ...revision, content: withProvenance(revision.content, readable) })),
  };
}
