import {
  Ack,
  Closed,
  Enum,
  Int64,
  List,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { CampaignSending, Notice, Variant } from './notices.schemas.ts';
import { campaignStates } from './transitions.ts';

/** The state of a campaign. */
export const state = Enum(campaignStates, {
  description:
    '`draft`: only administrators can see it. `prepared`: its notices are published. ' +
    '`dispatching`: sending has begun. `stopped`: final.',
});

/** The answer to a draft or a stop. */
export const CampaignAck = Ack({ state }, { title: 'CampaignAck' });

/** The answer to a preparation, with all notices. */
export const CampaignPrepared = Ack(
  { state, notices: List(Notice) },
  { title: 'CampaignPrepared' },
);

const limitInForce = (what: string) =>
  nullable(
    Int64({ description: `Number of notices ${what}; null means no limit.`, examples: [2] }),
  );

/** A campaign as the register shows it. */
export const Campaign = Closed(
  {
    id: Uuid(),
    name: Text(1, 120),
    purpose: Text(1, 2000),
    audience: Text(1, 2000),
    disclosures: List(Type.String()),
    variants: List(Variant),
    policy: Closed(
      {
        dailyLimit: limitInForce('a day'),
        totalLimit: limitInForce('in total'),
        overrideLegacyLimits: Type.Boolean(),
      },
      { title: 'CampaignPolicyShown' },
    ),
    limits: Closed(
      { daily: limitInForce('a day (UTC)'), total: limitInForce('in total') },
      { title: 'CampaignLimits', description: 'The limits in force.' },
    ),
    state,
    notices: List(Notice, {
      description: 'Every notice, word for word; empty while the campaign is a draft.',
    }),
    sentCount: Int64({ description: 'Number of all sendings.' }),
    sendings: List(CampaignSending, {
      description: 'The newest 50. {op:listCampaignSendings} has all of them.',
    }),
    createdAt: Time(),
    preparedAt: nullable(Time()),
    stoppedAt: nullable(Time()),
  },
  { title: 'Campaign' },
);
export type Campaign = Static<typeof Campaign>;

/** The request to stop a campaign. */
export const StopRequest = Closed(
  {
    reason: optional(
      Text(0, 500, {
        description: 'The reason, for the audit only.',
        examples: ['The release was withdrawn.'],
      }),
    ),
  },
  { title: 'StopRequest' },
);

/** Parameters of a path that names a campaign. */
export const campaignId = Closed({ id: Uuid({ description: 'The campaign.' }) });
