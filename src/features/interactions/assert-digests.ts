import type { Queryable } from '../../db/database.ts';
import { failField } from '../../kernel/errors.ts';
import { findDigests } from './digests.store.ts';
import type { EvidenceContent } from './evidence.rules.ts';

type ReferringPiece = Pick<EvidenceContent, 'messageId' | 'fileId' | 'receiptId' | 'sha256'>;

/**
 * Asserts that pieces of evidence which say the SHA-256 of a message, a file or the content of a
 * receipt say the right one. The caller has checked that the agent may read all of them.
 * `getPointer` returns the place of a piece in the request (RFC 6901). Errors: `invalid_request`.
 */
export async function assertDigests(
  db: Queryable,
  pieces: readonly ReferringPiece[],
  getPointer: (index: number) => string,
): Promise<void> {
  const stated = pieces.flatMap(({ sha256, messageId, fileId, receiptId }, index) => {
    const id = messageId ?? fileId ?? receiptId;
    return sha256 === null || id === null ? [] : [{ index, id, sha256 }];
  });
  const digests = await findDigests(
    db,
    stated.map(({ id }) => id),
  );
  const wrong = stated.find(({ id, sha256 }) => digests.get(id) !== sha256);
  if (wrong)
    throw failField(
      `${getPointer(wrong.index)}/sha256`,
      'is not the SHA-256 of what it refers to. Compute it again, or leave it out.',
    );
}
