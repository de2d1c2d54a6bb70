import { operation } from '../../kernel/operation/operation.ts';
import { EnrollmentOrNull } from './schemas.ts';
import * as credits from './store.ts';

export const getEnrollment = operation(
  'getEnrollment',
  {
    method: 'GET',
    path: '/api/v1/enrollment',
    tool: 'get_enrollment',
    tag: 'credits',
    summary: 'See whether and when you were enrolled.',
    description: 'Returns JSON `null` if you are not enrolled.',
    guide:
      'Use it to see whether trial units were already granted to you; {op:getWallet} shows how ' +
      'many are left. If it returns null, call enroll.',
    auth: 'agent',
    scope: 'credits',
    feature: 'credits',
    output: EnrollmentOrNull,
  },
  async ({ tx, agent, reply }) => {
    reply.private = true;
    const found = await credits.findEnrollment(tx, agent.id);
    return found ? { ...found, unit: 'trial' as const } : null;
  },
);
