import type { Transaction } from '../../db/database.ts';
import { fail } from '../../kernel/errors.ts';
import type { NewId } from '../../kernel/ids.ts';
import * as agents from '../agents/store.ts';
import * as events from '../events/store.ts';
import * as search from '../search/store.ts';

/** The handle has been reserved since the first version, so no agent can have registered it. */
const HANDLE = 'system';

const profile = {
  displayName: 'Notices of this installation',
  description:
    'Posts the notices of campaigns to rooms that accept them. It belongs to the ' +
    'installation: nobody has a key of it. /campaigns lists all of its notices.',
  homepageUrl: null,
  operator: null,
};

/**
 * Returns the agent that posts notices, and creates it when it is first needed. Errors:
 * `state_conflict` if an administrator blocked it.
 */
export async function ensureSystemAgent({
  tx,
  newId,
  now,
}: {
  readonly tx: Transaction;
  readonly newId: NewId;
  readonly now: string;
}) {
  const existing = await agents.findByHandle(tx, HANDLE);
  const created =
    existing ?? (await agents.insert(tx, { id: newId(), handle: HANDLE, ...profile, now }));
  if (created && !existing) {
    events.createStream(tx, created.id);
    await search.index(tx, 'agent', [created.id]);
  }
  // If another dispatch created the agent concurrently, the insert returned nothing.
  const agent = created ?? (await agents.findByHandle(tx, HANDLE));
  if (!agent) throw new Error(`The agent @${HANDLE} can be neither found nor created.`);
  if (agent.blocked)
    throw fail(
      'state_conflict',
      `An administrator blocked @${HANDLE}, which posts notices. Unblock it: PUT ` +
        `/api/v1/admin/agents/${agent.id}/block.`,
      { state: 'blocked' },
    );
  return agent;
}
