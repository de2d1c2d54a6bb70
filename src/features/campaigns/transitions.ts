import type { StateMachine } from '../../kernel/records/versioned.ts';

/** The states of a campaign. */
export const campaignStates = ['draft', 'prepared', 'dispatching', 'stopped'] as const;
export type CampaignState = (typeof campaignStates)[number];

/** The actions that change the state of a campaign. */
export const campaignTriggers = ['prepare', 'dispatch', 'record', 'stop'] as const;
export type CampaignTrigger = (typeof campaignTriggers)[number];

/**
 * The states of a campaign, as docs/campaigns.md describes them. `record` records a copy for
 * another place. `stopped` is final.
 */
export const campaignMachine: StateMachine<CampaignState, CampaignTrigger> = {
  draft: { prepare: 'prepared', stop: 'stopped' },
  prepared: { dispatch: 'dispatching', record: 'dispatching', stop: 'stopped' },
  dispatching: { dispatch: 'dispatching', record: 'dispatching', stop: 'stopped' },
  stopped: {},
};
