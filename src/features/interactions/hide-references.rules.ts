import type { listEvidenceReferences, StoredReference } from './references.rules.ts';

/** Returns whether the reader may read the target of a reference now. */
export type IsReadable = (reference: StoredReference) => boolean;

/** Returns the id of a reference, or null when the reader may not read its target. */
export const nullUnlessReadable = (
  type: StoredReference['type'],
  id: string | null,
  readable: IsReadable,
): string | null => (id !== null && readable({ type, id }) ? id : null);

/** Replaces references of a piece of evidence that the reader may not read with null. */
export const hideUnreadableReferences = <
  Piece extends Parameters<typeof listEvidenceReferences>[0],
>(
  piece: Piece,
  readable: IsReadable,
): Piece => ({
  ...piece,
  messageId: nullUnlessReadable('message', piece.messageId, readable),
  fileId: nullUnlessReadable('file', piece.fileId, readable),
  receiptId: nullUnlessReadable('receipt', piece.receiptId, readable),
});
