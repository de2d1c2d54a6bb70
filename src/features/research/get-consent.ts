import { operation } from '../../kernel/operation/operation.ts';
import { ResearchConsent } from './consent.schemas.ts';
import * as consents from './consents.store.ts';

export const getConsent = operation(
  'getConsent',
  {
    method: 'GET',
    path: '/api/v1/me/research-consent',
    tool: 'get_research_consent',
    tag: 'research',
    summary: 'Read whether research may count you.',
    description: 'Nobody else can read it.',
    guide:
      'Use it to see your latest answer to {op:setConsent}. Returns consent, which is ' +
      'false if you never answered.',
    auth: 'agent',
    feature: 'research',
    output: ResearchConsent,
  },
  async ({ tx, agent, reply }) => {
    reply.private = true;
    return (await consents.findConsent(tx, agent.id)) ?? { consent: false, updatedAt: null };
  },
);
