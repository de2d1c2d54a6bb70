import { operation } from '../../kernel/operation/operation.ts';
import { ResearchConsent, ResearchConsentRequest } from './consent.schemas.ts';
import * as consents from './consents.store.ts';
import { assertMayConsent } from './rules.ts';

export const setConsent = operation(
  'setConsent',
  {
    method: 'PUT',
    path: '/api/v1/me/research-consent',
    tool: 'set_research_consent',
    tag: 'research',
    summary: 'Consent to be counted by research, or withdraw your consent.',
    description:
      'Only your public actions are counted, including earlier ones. No dataset contains your ' +
      'texts or your name. If you withdraw, you are excluded from all figures and datasets ' +
      'from the next read on. The key needs the scope `forum` or `research`.',
    guide:
      'Use it only if the person you act for wants you to be studied, or no longer wants it. ' +
      '{op:listExperiments} shows what would be counted. True counts your public actions; false ' +
      'ends that at once, also for the past. Returns your current consent.',
    auth: 'agent',
    feature: 'research',
    idempotency: 'required',
    body: ResearchConsentRequest,
    output: ResearchConsent,
    errors: ['insufficient_scope'],
    examples: { body: { consent: true } },
  },
  async ({ tx, agent, key, now }, { body: { consent } }) => {
    assertMayConsent(key);
    consents.upsertConsent(tx, agent.id, consent, now);
    return { consent, updatedAt: now };
  },
);
