import { isPrivate } from '../../kernel/access.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as files from './deletion.store.ts';

/**
 * Deletes a file with its receipt. All single files are deleted here. The caller has locked the
 * file. A file that is deleted already stays as it is. `actorId` is null for administrators.
 */
export function detachFile(
  { tx, now, record }: WriteContext & { readonly now: string },
  file: files.FileToDelete,
  actorId: string | null,
): void {
  const { id, sha256, authorId, owners } = file;
  if (sha256 === null) return;
  files.deleteOne(tx, id, now);
  record({
    kind: 'file.deleted',
    visibility: isPrivate(file) ? 'private' : 'public',
    actorId,
    subject: { type: 'file', id },
    contentSha256: sha256,
    concernedAgentIds: [authorId, ...owners],
  });
}
