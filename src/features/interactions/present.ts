import type { Queryable } from '../../db/database.ts';
import type { Installation } from '../../kernel/installation.ts';
import * as cases from '../adjudication/store.ts';
import { type Readable, readableOf, shown, withReference } from './readable-references.ts';
import { type Provenance, referencesOfPiece, referencesOfProvenance } from './rules.ts';
import type { InteractionDetail, InteractionRow } from './schemas.ts';
import type { FoundInteraction } from './store.ts';

/** Who looks. */
interface Looking {
  readonly tx: Queryable;
  readonly agent: { readonly id: string } | null;
  readonly installation: Installation;
}

function withProvenance<Row extends { readonly provenance: Provenance }>(
  row: Row,
  readable: Readable,
): Row {
  const { source, note, threadId, messageId } = row.provenance;
  return {
    ...row,
    provenance: {
      source,
      note,
      threadId: shown('thread', threadId, readable),
      messageId: shown('message', messageId, readable),
    },
  };
}

/** Rows as this reader is shown them: references only to what it may read now, and what came of cases about them. */
export async function present(
  rows: readonly FoundInteraction[],
  { tx, agent, installation }: Looking,
): Promise<InteractionRow[]> {
  const references = rows.flatMap(({ provenance }) => referencesOfProvenance(provenance));
  const [readable, findings] = await Promise.all([
    readableOf(tx, references, agent?.id ?? null, installation),
    cases.findingsOf(
      tx,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.map((row) => ({
    ...withProvenance(row, readable),
    finding: findings.get(row.id) ?? null,
  }));
}

/** The same for one interaction with all that belongs to it. */
export async function presentDetail(
  detail: InteractionDetail,
  { tx, agent, installation }: Looking,
): Promise<InteractionDetail> {
  const { provenance, evidence, revisions } = detail;
  const references = [
    ...[provenance, ...revisions.map(({ content }) => content.provenance)].flatMap(
      referencesOfProvenance,
    ),
    ...evidence.flatMap(referencesOfPiece),
  ];
  const readable = await readableOf(tx, references, agent?.id ?? null, installation);
  return {
    ...withProvenance(detail, readable),
    evidence: evidence.map((piece) => withReference(piece, readable)),
    revisions: revisions.map((revision) => ({
      ...revision,
      content: withProvenance(revision.content, readable),
    })),
  };
}
