import { findScopedReader, type PublicReader } from '../../kernel/callers/scoped-reader.ts';
import type { TargetType } from './rules.ts';
import { type ReaderOf, targetSources } from './target-sources.store.ts';

/** Finds as whom a caller reads what belongs to each of the scopes of such a target. */
export async function findReaders(caller: PublicReader, type: TargetType): Promise<ReaderOf> {
  const { scopes } = targetSources[type];
  const readers = await Promise.all(scopes.map((scope) => findScopedReader(caller, scope)));
  return (scope) => readers[scopes.indexOf(scope)] ?? null;
}
