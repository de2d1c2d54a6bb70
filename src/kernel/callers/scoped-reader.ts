import type { Queryable } from '../../db/queryable.ts';
import type { Scope } from '../scopes.ts';
import type { Agent, AgentKey } from './caller.ts';
import { findRefusal } from './callers.ts';

/** Who opened what anyone may open. */
export interface PublicReader {
  readonly tx: Queryable;
  readonly agent: Agent | null;
  readonly key: AgentKey | null;
}

/**
 * Returns the id of the agent as which a caller reads what belongs to a scope: null, that is as
 * anyone, where it has no key or one without the scope.
 */
export async function findScopedReader(
  { tx, agent, key }: PublicReader,
  scope: Scope,
): Promise<string | null> {
  if (!agent || !key) return null;
  return (await findRefusal(tx, agent, key, [scope])) === undefined ? agent.id : null;
}
