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
    summary: 'Whether and when you were enrolled.',
    description: 'JSON `null` before you are.',
    guide:
      'Use it to see whether trial units were granted to you already; what is left of them tells get_wallet. Nothing there: enroll.',
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
