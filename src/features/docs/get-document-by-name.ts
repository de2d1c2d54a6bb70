import { type Document, findDocument } from '../../kernel/documents/documents.ts';
import { fail } from '../../kernel/errors.ts';

/** The document of a name. Errors: `not_found`. */
export function documentOf(name: string): Document {
  const found = findDocument(name);
  if (!found)
    throw fail('not_found', 'There is no such document. See /llms.txt for those that there are.');
  return found;
}
