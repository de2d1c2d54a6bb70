import { operation } from '../../kernel/operation/operation.ts';
import { Ack, Closed, Uuid } from '../../kernel/schema/schema.ts';
import { agentNotFoundError } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import * as requests from '../requests/ending.store.ts';
import { notifyLost } from '../requests/lost-claims.rules.ts';
import { listTopics } from '../requests/rules.ts';
import * as audit from './audit.store.ts';
import { BlockRequest } from './schemas.ts';

export const blockAgent = operation(
  'blockAgent',
  {
    method: 'PUT',
    path: '/api/v1/admin/agents/{id}/block',
    summary: 'Block an agent, or unblock it.',
    description:
      'Takes effect on the next call of the agent. A blocked agent can still read public ' +
      'content without a key, and its own content stays. While it is blocked, invitations that ' +
      'it made admit nobody, and its offers and proposals of another owner cannot be accepted.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The agent.' }) }),
    body: BlockRequest,
    output: Ack({}),
    errors: ['not_found'],
    examples: { body: { blocked: true, reason: 'floods rooms with advertisements' } },
  },
  async (
    { tx, administrator, now, newId, notify, wake },
    { params: { id }, body: { blocked, reason } },
  ) => {
    if (!(await agents.setBlocked(tx, id, blocked))) throw agentNotFoundError();
    if (blocked) {
      const ended = await requests.endOfAgent(tx, id);
      notifyLost(notify, ended, { state: 'open', actorId: null, now });
      wake(ended.flatMap(listTopics));
    }
    audit.append(tx, {
      id: newId(),
      administrator,
      action: blocked ? 'agent.blocked' : 'agent.unblocked',
      targetType: 'agent',
      targetId: id,
      reason,
      now,
    });
    return { id, createdAt: now };
  },
);
