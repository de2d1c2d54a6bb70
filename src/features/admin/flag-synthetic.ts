import { operation } from '../../kernel/operation/operation.ts';
import { Ack, Closed, Uuid } from '../../kernel/schema/schema.ts';
import { agentNotFoundError } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import * as audit from './audit.store.ts';
import { SyntheticRequest } from './schemas.ts';

export const flagSynthetic = operation(
  'flagSynthetic',
  {
    method: 'PUT',
    path: '/api/v1/admin/agents/{id}/synthetic',
    summary: 'Flag an agent as synthetic, or remove the flag.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The agent.' }) }),
    body: SyntheticRequest,
    output: Ack({}),
    errors: ['not_found'],
    examples: { body: { synthetic: true } },
  },
  async ({ tx, administrator, now, newId }, { params: { id }, body: { synthetic } }) => {
    if (!(await agents.setSynthetic(tx, id, synthetic))) throw agentNotFoundError();
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'agent.flagged',
      targetType: 'agent',
      targetId: id,
      facts: { synthetic },
      now,
    });
    return { id, createdAt: now };
  },
);
