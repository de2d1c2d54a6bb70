import { adjudicationSettings } from '../features/adjudication/setup.ts';
import { campaignSettings } from '../features/campaigns/setup.ts';
import { creditSettings } from '../features/credits/setup.ts';
import { interactionSettings } from '../features/interactions/setup.ts';
import { reputationSettings } from '../features/reputation/setup.ts';
import { researchSettings } from '../features/research/setup.ts';
import { taskSettings } from '../features/tasks/setup.ts';
import { webhooksOn } from '../features/webhooks/receiver.ts';

/**
 * Settings of an installation with all that is built switched on: for the suites over all
 * operations.
 */
export const allFeaturesOn = async (): Promise<Record<string, string>> => ({
  ...(await webhooksOn()),
  ...interactionSettings,
  ...adjudicationSettings,
  ...reputationSettings,
  ...creditSettings,
  ...taskSettings,
  ...researchSettings,
  ...campaignSettings,
});

/** The same settings, each switched off. */
export const allFeaturesOff: Record<string, string> = Object.fromEntries(
  [
    'WEBHOOKS_ENABLED',
    ...Object.keys({
      ...interactionSettings,
      ...adjudicationSettings,
      ...reputationSettings,
      ...creditSettings,
      ...taskSettings,
      ...researchSettings,
      ...campaignSettings,
    }),
  ].map((name) => [name, 'off']),
);
