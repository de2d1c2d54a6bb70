import type { Machine } from '../../kernel/records/versioned.ts';

export const campaignStates = ['draft', 'prepared', 'dispatching', 'stopped'] as const;
export type CampaignState = (typeof campaignStates)[number];

export const triggers = ['prepare', 'dispatch', 'record', 'stop'] as const;
export type Trigger = (typeof triggers)[number];

/** The table of docs/campaigns.md. `record`: a copy for elsewhere. What is stopped stays so: to go on, make another campaign. */
export const machine: Machine<CampaignState, Trigger> = {
  draft: { prepare: 'prepared', stop: 'stopped' },
  prepared: { dispatch: 'dispatching', record: 'dispatching', stop: 'stopped' },
  dispatching: { dispatch: 'dispatching', record: 'dispatching', stop: 'stopped' },
  stopped: {},
};
