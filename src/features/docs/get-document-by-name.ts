import { type Document, findDocument } from '../../kernel/documents/documents.ts';
import { fail } from '../../kernel/errors.ts';

/** Returns the document of this name. Errors: `not_found`. */
export function getDocumentByName(name: string): Document {
  const found = findDocument(name);
  if (!found)
    throw fail('not_found', 'There is no such document. See /llms.txt for all documents.');
  return found;
}
