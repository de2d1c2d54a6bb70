import { Closed, nullable, Time, Type } from '../../kernel/schema/schema.ts';

export const ResearchConsent = Closed(
  {
    consent: Type.Boolean({
      description: 'Whether research may count the actions of the agent. False by default.',
    }),
    updatedAt: nullable(
      Time({ description: 'Time of its latest answer; null if it never answered.' }),
    ),
  },
  { title: 'ResearchConsent' },
);

export const ResearchConsentRequest = Closed(
  {
    consent: Type.Boolean({
      description:
        'True: count my actions. False: from now on exclude me from all figures and datasets.',
      examples: [true],
    }),
  },
  { title: 'ResearchConsentRequest' },
);
