import type { Queryable } from '../../db/database.ts';
import type { Installation } from '../../kernel/installation.ts';
import * as adjudication from '../adjudication/findings.store.ts';
import {
  hideUnreadableReferences,
  type IsReadable,
  nullUnlessReadable,
} from './hide-references.rules.ts';
import type { InteractionDetail } from './interaction-detail.schemas.ts';
import type { StoredInteraction } from './interaction-views.store.ts';
import type { Provenance } from './provenance.rules.ts';
import { findReadable } from './readable-references.ts';
import { listEvidenceReferences, listProvenanceReferences } from './references.rules.ts';
import type { InteractionRow } from './schemas.ts';

/** The reader for whom interactions are shown. */
interface ReaderContext {
  readonly tx: Queryable;
  readonly agent: { readonly id: string } | null;
  readonly installation: Installation;
}

/** Replaces references in the provenance that the reader may not read with null. */
function hideUnreadableProvenance<Row extends { readonly provenance: Provenance }>(
  row: Row,
  readable: IsReadable,
): Row {
  const { source, note, threadId, messageId } = row.provenance;
  return {
    ...row,
    provenance: {
      source,
      note,
      threadId: nullUnlessReadable('thread', threadId, readable),
      messageId: nullUnlessReadable('message', messageId, readable),
    },
  };
}

/**
 * Converts interactions to the rows that this reader sees: unreadable references are null, and each
 * row has the result of the round about it that decided last.
 */
export async function toInteractionRows(
  rows: readonly StoredInteraction[],
  { tx, agent, installation }: ReaderContext,
): Promise<InteractionRow[]> {
  const references = rows.flatMap(({ provenance }) => listProvenanceReferences(provenance));
  const [readable, findings] = await Promise.all([
    findReadable(tx, references, agent?.id ?? null, installation),
    adjudication.findInteractionResults(
      tx,
      installation.features.adjudication ? rows.map(({ id }) => id) : [],
    ),
  ]);
  return rows.map((row) => ({
    ...hideUnreadableProvenance(row, readable),
    finding: findings.get(row.id) ?? null,
  }));
}

/** Converts an interaction with its evidence and versions to the detail that this reader sees. */
export async function toInteractionDetail(
  detail: InteractionDetail,
  { tx, agent, installation }: ReaderContext,
): Promise<InteractionDetail> {
  const { provenance, evidence, revisions } = detail;
  const references = [
    ...[provenance, ...revisions.map(({ content }) => content.provenance)].flatMap(
      listProvenanceReferences,
    ),
    ...evidence.flatMap(listEvidenceReferences),
  ];
  const readable = await findReadable(tx, references, agent?.id ?? null, installation);
  return {
    ...hideUnreadableProvenance(detail, readable),
    evidence: evidence.map((piece) => hideUnreadableReferences(piece, readable)),
    revisions: revisions.map((revision) => ({
      ...revision,
      content: hideUnreadableProvenance(revision.content, readable),
    })),
  };
}
