import type { Operation } from '../../operation/operation.ts';
import type { Input, Spec } from '../../operation/spec.ts';
import { countStoredBytes } from '../allowances.ts';
import type { BatchMember } from './group-commit.ts';

/** Finds as what a call joins a batch. Returns null when the call commits alone. */
export function findBatchMember({ batchBy }: Operation, input: Input<Spec>): BatchMember | null {
  if (batchBy === undefined) return null;
  const values = input[batchBy.part] as Readonly<Record<string, unknown>>;
  if (batchBy.except !== undefined && values[batchBy.except] != null) return null;
  return {
    key: String(values[batchBy.name]).toLowerCase(),
    bytes: countStoredBytes(input.body, null),
    isShared: batchBy.countsEarlier === true,
  };
}
