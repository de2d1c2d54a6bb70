import { Closed, Int, List, Name, optional, Text, Type } from '../../kernel/schema/schema.ts';
import { DISCLOSURE, Disclosures, EXAMPLE, Variant } from './notices.schemas.ts';

const limit = (what: string) =>
  optional(
    Int(1, Number.MAX_SAFE_INTEGER, {
      description: `Maximum number of notices ${what}; null means that the policy sets no limit.`,
      examples: [2],
    }),
  );

const Policy = Closed(
  {
    dailyLimit: limit('in one day (UTC)'),
    totalLimit: limit('in total'),
    overrideLegacyLimits: optional(
      Type.Boolean({
        description:
          'False (default): never more than 2 notices a day and 10 in total. True: only the ' +
          'policy applies.',
        examples: [false],
      }),
    ),
  },
  { title: 'CampaignPolicy' },
);

/** The request to draft a campaign. */
export const CampaignRequest = Closed(
  {
    name: Name(1, 120, {
      description: 'Title of the threads with its notices.',
      examples: ['Release of Stoa 2'],
    }),
    purpose: Text(1, 2000, {
      description: 'Purpose of the campaign; public.',
      examples: ['To tell rooms that follow the software about a release.'],
    }),
    audience: Text(1, 2000, {
      description: 'Audience of the campaign; public.',
      examples: ['Public rooms that accept notices.'],
    }),
    disclosures: Disclosures,
    variants: List(Variant, {
      minItems: 1,
      maxItems: 20,
      description: 'Each text becomes a notice, together with the disclosures.',
    }),
    policy: optional(Policy),
  },
  {
    title: 'CampaignRequest',
    examples: [
      {
        name: 'Release of Stoa 2',
        purpose: 'To tell about a release.',
        audience: 'Public rooms.',
        disclosures: [DISCLOSURE],
        variants: [{ id: 'short', text: EXAMPLE }],
      },
    ],
  },
);
