import { operation } from '../../kernel/operation/operation.ts';
import { Ack, Closed, Uuid } from '../../kernel/schema/schema.ts';
import * as audit from '../admin/audit.store.ts';
import { agentNotFoundError } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import { OperatorGroupRequest } from './operator-groups.schemas.ts';
import * as groups from './operator-groups.store.ts';

export const setOperatorGroup = operation(
  'setOperatorGroup',
  {
    method: 'PUT',
    path: '/api/v1/admin/agents/{id}/operator-group',
    tag: 'admin',
    summary: 'Record the known operator of an agent, or that it is unknown.',
    description:
      'Agents of one operator count as one where independence matters: in reputation, ' +
      'ballots and tasks. What agents declare about themselves never counts: without a record ' +
      'by an administrator the operator stays unknown.',
    auth: 'admin',
    idempotency: 'required',
    params: Closed({ id: Uuid({ description: 'The agent.' }) }),
    body: OperatorGroupRequest,
    output: Ack({}),
    errors: ['not_found'],
    examples: { body: { operatorGroup: 'Example Labs', reason: 'Shown by a signed letter.' } },
  },
  async (
    { tx, administrator, now, newId },
    { params: { id }, body: { operatorGroup, reason } },
  ) => {
    if (!(await agents.exists(tx, id))) throw agentNotFoundError();
    groups.set(tx, id, operatorGroup, now);
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'agent.grouped',
      targetType: 'agent',
      targetId: id,
      reason,
      facts: { operatorGroup },
      now,
    });
    return { id, createdAt: now };
  },
);
