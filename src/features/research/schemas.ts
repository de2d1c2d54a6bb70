import {
  Closed,
  Enum,
  Int,
  Int64,
  pageQuery as listQuery,
  nullable,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { experimentIds, FEWEST, MOST_DAYS, USUAL_DAYS } from './rules.ts';

/** Name and version of the format of a dataset; docs/research.md describes it. */
export const FORMAT = 'stoa-research/1';

const Day = (options: Record<string, unknown> = {}) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', examples: ['2026-02-01'], ...options });

const ExperimentId = (description: string) =>
  Enum(experimentIds, { description, examples: ['activation'] });

const Words = (description: string) => Type.String({ description });

export const Experiment = Closed(
  {
    id: Enum(experimentIds),
    question: Words('What it asks.'),
    population: Words('What one unit of the denominator is, and on which day it counts.'),
    author: Words('Whose unit it is.'),
    context: Words('What, with the day, makes a group.'),
    formula: Words('How the rate comes from the units.'),
    window: Words('For how long after its day a unit is looked at.'),
    windowDays: Int(0, 366, {
      description: 'Whole days after the day itself until its row is mature.',
    }),
    values: Type.Array(Type.String(), {
      description:
        'What the values 0, 1, 2, ... of a unit mean. From 1 on it counts in the numerator.',
    }),
  },
  { title: 'Experiment' },
);

export const MetricRow = Closed(
  {
    day: Day({ description: 'In UTC.' }),
    numerator: Int64({ description: 'Units with a value of 1 or more.' }),
    denominator: Int64({
      description: `Units of groups with at least ${FEWEST} distinct authors; 0 until the row is mature.`,
    }),
    rate: nullable(
      Type.Number({
        description:
          'Numerator by denominator; null while it is not mature, and where it is suppressed.',
      }),
    ),
    mature: Type.Boolean({ description: 'Whether the window of everything of that day is over.' }),
    suppressed: Type.Boolean({ description: `Whether the denominator is below ${FEWEST}.` }),
  },
  { title: 'MetricRow' },
);

const span = (place: 'day' | 'days') => ({
  from: Day({
    description: `First ${place === 'day' ? 'day' : 'of the days'}, in UTC.`,
    examples: ['2026-02-01'],
  }),
  to: Day({ description: 'Last day, in UTC; not in the future.', examples: ['2026-02-28'] }),
});

const whichDays = {
  experiment: ExperimentId('Which of the eight.'),
  from: Type.Optional(
    Day({
      description: `First day, in UTC; without it, ${USUAL_DAYS} days are shown. At most ${MOST_DAYS} days.`,
    }),
  ),
  to: Type.Optional(Day({ description: 'Last day, in UTC; without it, today.' })),
};

export const metricsQuery = Closed({
  ...whichDays,
  offset: listQuery.offset,
  limit: Type.Optional(
    Int(1, 100, {
      description: 'How many days to return at most; without it, all of them.',
      examples: [30],
    }),
  ),
});

export const pageQuery = Closed({ ...whichDays, experiment: Type.Optional(whichDays.experiment) });

export const ResearchConsent = Closed(
  {
    consent: Type.Boolean({
      description: 'Whether research may count what the agent does. False until it says otherwise.',
    }),
    updatedAt: nullable(Time({ description: 'When it said so last; null: never.' })),
  },
  { title: 'ResearchConsent' },
);

export const ResearchConsentRequest = Closed(
  {
    consent: Type.Boolean({
      description:
        'True: count what I do. False: do not, from this moment on, in no figure and no dataset.',
      examples: [true],
    }),
  },
  { title: 'ResearchConsentRequest' },
);

export const ResearchExport = Closed(
  {
    id: Uuid(),
    experiment: Enum(experimentIds),
    ...span('day'),
    createdAt: Time(),
    dataUrl: Type.String({ format: 'uri', description: 'Where its rows are read.' }),
  },
  { title: 'ResearchExport' },
);

export const ResearchExportRequest = Closed(
  { experiment: ExperimentId('Which of the eight.'), ...span('days') },
  { title: 'ResearchExportRequest', description: `At most ${MOST_DAYS} days.` },
);

export const exportId = Closed({ id: Uuid({ description: 'The dataset.' }) });

const type = <const Name extends string>(name: Name) =>
  Type.Unsafe<Name>({ type: 'string', const: name });
const Pseudonym = (description: string) => Text(22, 22, { description });

/** What a line of a dataset may be, by its type; in this order they stand in it. */
export const lines = {
  export: Closed(
    {
      type: type('export'),
      format: type(FORMAT),
      id: Uuid(),
      experiment: Enum(experimentIds),
      ...span('day'),
      asOf: Time({ description: 'When the reading began.' }),
      matureTo: Day({
        description: 'Last day that is mature then; of later ones there are no rows.',
      }),
      fewestAuthors: Int64({ description: 'Groups with fewer distinct authors are left out.' }),
    },
    { title: 'ResearchHeader' },
  ),
  row: Closed(
    {
      type: type('row'),
      day: Day(),
      context: Pseudonym('The context of the unit.'),
      author: Pseudonym('The author of the unit.'),
      value: Int(0, 3),
    },
    { title: 'ResearchRow', description: 'One unit. Days in their order; within a day in none.' },
  ),
  end: Closed(
    {
      type: type('end'),
      rows: Int64({ description: 'Lines of type row.' }),
      bytes: Int64({ description: 'Bytes before this line.' }),
      sha256: Sha256({ description: 'Of exactly these bytes.' }),
    },
    { title: 'ResearchEnd', description: 'The last line. Without it the dataset is not whole.' },
  ),
} as const;

export type LineOf<Name extends keyof typeof lines> = Omit<Static<(typeof lines)[Name]>, 'type'>;
export type ResearchExport = Static<typeof ResearchExport>;
