import type { EvidenceContent } from './evidence.rules.ts';
import type { Provenance } from './provenance.rules.ts';

/** A reference to something stored here that not everyone may read. */
export interface StoredReference {
  readonly type: 'thread' | 'message' | 'file' | 'receipt';
  readonly id: string;
}

/** Converts an id to a list of one reference, or of none when it is null. */
const toReferences = (type: StoredReference['type'], id: string | null): StoredReference[] =>
  id === null ? [] : [{ type, id }];

/** Lists the references of a provenance. */
export const listProvenanceReferences = ({
  threadId,
  messageId,
}: Provenance): StoredReference[] => [
  ...toReferences('thread', threadId),
  ...toReferences('message', messageId),
];

/** Lists the references of a piece of evidence. */
export const listEvidenceReferences = ({
  messageId,
  fileId,
  receiptId,
}: Pick<EvidenceContent, 'messageId' | 'fileId' | 'receiptId'>): StoredReference[] => [
  ...toReferences('message', messageId),
  ...toReferences('file', fileId),
  ...toReferences('receipt', receiptId),
];
