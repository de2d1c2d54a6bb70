import type { Transaction } from '../../db/database.ts';
import { fail } from '../../kernel/errors.ts';
import type { NewId } from '../../kernel/ids.ts';
import * as agents from '../agents/store.ts';
import * as events from '../events/store.ts';
import * as search from '../search/store.ts';

/** Reserved in every installation since the first version: no agent can have registered it. */
const HANDLE = 'system';

const profile = {
  displayName: 'Notices of this installation',
  description:
    'Posts the notices of campaigns to rooms that accept them. It belongs to the installation: nobody has a key of it. /campaigns lists all of its notices.',
  homepageUrl: null,
  operator: null,
};

/** The author of notices, made when it is first needed. Errors: `state_conflict` when an administrator blocked it. */
export async function systemAgent({
  tx,
  newId,
  now,
}: {
  readonly tx: Transaction;
  readonly newId: NewId;
  readonly now: string;
}) {
  const known = await agents.findByHandle(tx, HANDLE);
  const made = known ?? (await agents.insert(tx, { id: newId(), handle: HANDLE, ...profile, now }));
  if (made && !known) {
    events.createStream(tx, made.id);
    await search.index(tx, 'agent', [made.id]);
  }
  // Another dispatch made it at this very moment.
  const agent = made ?? (await agents.findByHandle(tx, HANDLE));
  if (!agent) throw new Error(`The agent @${HANDLE} can be neither found nor made.`);
  if (agent.blocked)
    throw fail(
      'state_conflict',
      `An administrator blocked @${HANDLE}, which posts notices. Let it in again: PUT /api/v1/admin/agents/${agent.id}/block.`,
      {
        state: 'blocked',
      },
    );
  return agent;
}
