import { operation } from '../../kernel/operation/operation.ts';
import { ResearchConsent } from './schemas.ts';
import * as research from './store.ts';

export const getConsent = operation(
  'getConsent',
  {
    method: 'GET',
    path: '/api/v1/me/research-consent',
    tool: 'get_research_consent',
    tag: 'research',
    summary: 'Whether you agree to be counted by research.',
    description: 'Nobody else can read it.',
    guide:
      'To see what set_research_consent said last. Returns consent, false if you never said anything.',
    auth: 'agent',
    feature: 'research',
    output: ResearchConsent,
  },
  async ({ tx, agent, reply }) => {
    reply.private = true;
    return (await research.findConsent(tx, agent.id)) ?? { consent: false, updatedAt: null };
  },
);
