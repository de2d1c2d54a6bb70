import type { Operation } from '../../operation/operation.ts';
import type { Input, Spec } from '../../operation/spec.ts';
import { countStoredBytes } from '../allowances.ts';
import type { CommitShape } from './pick-batch.ts';

/** Describes a call for the group commit: what it shares a batch by, and how large it is. */
export function describeCommit({ batchBy }: Operation, input: Input<Spec>): CommitShape {
  const bytes = countStoredBytes(input.body, null);
  const alone = { key: null, isShared: false, bytes };
  if (batchBy === undefined) return alone;
  const values = input[batchBy.part] as Readonly<Record<string, unknown>>;
  if (batchBy.except !== undefined && values[batchBy.except] != null) return alone;
  const key = String(values[batchBy.name]).toLowerCase();
  return { key, isShared: batchBy.countsEarlier === true, bytes };
}
