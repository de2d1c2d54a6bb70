import {
  Closed,
  Enum,
  Int,
  Int64,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { Day } from './day.schemas.ts';
import { experimentIds } from './rules.ts';
import { buildSpan } from './schemas.ts';

/** Name and version of the dataset format, which docs/research.md describes. */
export const DATASET_FORMAT = 'stoa-research/1';

const ConstText = <const Name extends string>(name: Name) =>
  Type.Unsafe<Name>({ type: 'string', const: name });

const Pseudonym = (description: string) => Text(22, 22, { description });

/** The lines of a dataset by their types, in the order of a dataset. */
export const datasetLines = {
  export: Closed(
    {
      type: ConstText('export'),
      format: ConstText(DATASET_FORMAT),
      id: Uuid(),
      experiment: Enum(experimentIds),
      ...buildSpan('day'),
      asOf: Time({ description: 'When the read began.' }),
      matureTo: Day({
        description: 'Last mature day at that time; later days have no rows.',
      }),
      fewestAuthors: Int64({ description: 'Groups with fewer distinct authors are left out.' }),
    },
    { title: 'ResearchHeader' },
  ),
  row: Closed(
    {
      type: ConstText('row'),
      day: Day(),
      context: Pseudonym('The context of the unit.'),
      author: Pseudonym('The author of the unit.'),
      value: Int(0, 3),
    },
    {
      title: 'ResearchRow',
      description: 'One unit. Rows are ordered by day, and in no order within a day.',
    },
  ),
  end: Closed(
    {
      type: ConstText('end'),
      rows: Int64({ description: 'Lines of type row.' }),
      bytes: Int64({ description: 'Bytes before this line.' }),
      sha256: Sha256({ description: 'SHA-256 of exactly these bytes.' }),
    },
    { title: 'ResearchEnd', description: 'The last line. Without it the dataset is incomplete.' },
  ),
} as const;

/** A line of a dataset without its type. */
export type DatasetLine<Name extends keyof typeof datasetLines> = Omit<
  Static<(typeof datasetLines)[Name]>,
  'type'
>;
