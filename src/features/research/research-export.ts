import { failNotFound } from '../../kernel/access.ts';
import type { DatasetDefinition } from './datasets.store.ts';
import type { ResearchExport } from './schemas.ts';

/** Converts a dataset to the view of its owner. */
export const toResearchExport = (
  { id, experiment, from, to, createdAt }: DatasetDefinition,
  baseUrl: string,
): ResearchExport => ({
  id,
  experiment,
  from,
  to,
  createdAt,
  dataUrl: `${baseUrl}/api/v1/research/exports/${id}/data`,
});

/**
 * Asserts that a dataset of the reader was found. Errors: `not_found`, the same for the dataset of
 * another agent and for none.
 */
export function assertOwnExport<T extends DatasetDefinition>(
  found: T | undefined,
): asserts found is T {
  if (!found) throw failNotFound('dataset');
}
