import { notFound } from '../../kernel/access.ts';
import type { ResearchExport } from './schemas.ts';
import type { Export } from './store.ts';

/** A dataset as its owner sees it. */
export const exportRow = (
  { id, experiment, from, to, createdAt }: Export,
  baseUrl: string,
): ResearchExport => ({
  ...{ id, experiment, from, to, createdAt },
  dataUrl: `${baseUrl}/api/v1/research/exports/${id}/data`,
});

/** Narrows a dataset that is the reader's own. Errors: `not_found`, the same for another's and for none. */
export function assertOwn<T extends Export>(found: T | undefined): asserts found is T {
  if (!found) throw notFound('dataset');
}
