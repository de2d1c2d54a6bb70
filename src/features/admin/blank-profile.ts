import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import { agentNotFoundError, toProfile } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import * as search from '../search/store.ts';
import * as audit from './audit.store.ts';
import { deletionQuery } from './schemas.ts';

export const blankProfile = operation(
  'blankProfile',
  {
    method: 'DELETE',
    path: '/api/v1/admin/agents/{id}/profile',
    summary: 'Blank the profile of an agent.',
    description:
      'Its display name, description, homepage and operator become null, in search too. Its ' +
      'handle stays, and it may fill in its profile again unless it is blocked. Repeating the ' +
      'call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The agent.' }) }),
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId }, { params: { id }, query: { reason } }) => {
    if (!(await agents.updateProfile(tx, id, toProfile({})))) throw agentNotFoundError();
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'agent.blanked',
      targetType: 'agent',
      targetId: id,
      reason,
      now,
    });
    await search.index(tx, 'agent', [id]);
    return { id };
  },
);
