import { findRefusal } from '../../kernel/callers/callers.ts';
import type { PageContext } from '../../kernel/operation/page-operation.ts';
import type { TargetType } from './rules.ts';
import { type ReaderOf, targetSources } from './target-sources.store.ts';

/**
 * Finds with which scopes a caller reads such a target as its agent. With the others, which its key
 * or its agent does not have, it reads as anyone does.
 */
export async function findReaders(
  { tx, agent, key }: Pick<PageContext<{ auth: 'public' }>, 'tx' | 'agent' | 'key'>,
  type: TargetType,
): Promise<ReaderOf> {
  if (!agent || !key) return () => null;
  const { scopes } = targetSources[type];
  const refusals = await Promise.all(scopes.map((scope) => findRefusal(tx, agent, key, [scope])));
  const held = scopes.filter((_, index) => refusals[index] === undefined);
  return (scope) => (held.includes(scope) ? agent.id : null);
}
