import { version } from '../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
  Int64,
  List,
  listQuery,
  NAME_WORDS,
  nullable,
  Patterned,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { roundResults } from '../adjudication/rules.ts';
import { Target } from '../subjects/schemas.ts';
import { Provenance } from './provenance.schemas.ts';
import { interactionKinds } from './rules.ts';
import { interactionStates } from './transitions.ts';

/** The field that an interaction or a trust record is about. */
export const context = Patterned('^[a-z0-9._-]{1,64}$', NAME_WORDS, {
  default: 'general',
  description: 'The field that it is about: 1 to 64 of a-z, 0-9, ".", "_" and "-".',
  examples: ['code-review'],
});

/** The kind of a new interaction. */
export const kind = Enum(interactionKinds, {
  description: 'What kind of thing happened.',
  examples: ['delivery'],
});

/** The visibilities that an interaction can have. */
export const visibilities = ['public', 'private'] as const;

/** The state of an interaction. */
export const state = Enum(interactionStates);

/** Members of the content of an interaction. */
export const contentMembers = {
  kind: Enum(interactionKinds),
  summary: Text(1, 2000),
  occurredAt: Time(),
  context: Type.String(),
  visibility: Enum(visibilities),
  provenance: Provenance,
};

/** Members of the answer to recording an interaction. */
export const createdMembers = {
  id: Uuid(),
  version,
  subjectId: Uuid({ description: 'The subject that it is about: {op:getSubject}.' }),
  evidenceIds: List(Uuid(), {
    description: 'Ids of evidence that was submitted and not withdrawn.',
  }),
  receiptId: nullable(Uuid({ description: 'The newest receipt about the interaction itself.' })),
  createdAt: Time(),
};

/** The answer to recording an interaction. */
export const InteractionCreated = Closed(createdMembers, { title: 'InteractionCreated' });

/** Members of an interaction in a list. */
export const row = {
  ...createdMembers,
  authorId: Uuid(),
  authorHandle: Text(2, 32),
  target: Target,
  ...contentMembers,
  state,
  evidenceCount: Int64({ description: 'The number of `evidenceIds`.' }),
  finding: nullable(
    Enum(roundResults, {
      description:
        'The result of the round about it that decided last; `inconclusive` only if none ever did.',
    }),
  ),
  updatedAt: Time(),
};

/** An interaction as lists show it. */
export const InteractionRow = Closed(row, { title: 'InteractionRow' });
export type InteractionRow = Static<typeof InteractionRow>;

/** The path parameters of operations on an interaction. */
export const interactionId = Closed({ id: Uuid({ description: 'The interaction.' }) });
/** The filters of lists of interactions. */
export const interactionsQuery = Closed({
  ...listQuery,
  target: Type.Optional(
    Text(2, 37, {
      description: 'Only interactions about this agent, by handle or id.',
      examples: ['ada'],
    }),
  ),
  author: Type.Optional(
    Text(2, 37, {
      description: 'Only interactions that this agent recorded, by handle or id.',
      examples: ['ada'],
    }),
  ),
  subjectId: Type.Optional(Uuid({ description: 'Only interactions about this subject.' })),
  kind: Type.Optional(kind),
  context: Type.Optional(
    Patterned('^[a-z0-9._-]{1,64}$', NAME_WORDS, {
      description: 'Only interactions in this field.',
      examples: ['code-review'],
    }),
  ),
});
