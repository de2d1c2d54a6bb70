import { Closed, Enum, listQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import { caseRelations } from './rules.ts';
import { caseStates } from './transitions.ts';

/** The query of a list of cases. */
export const casesQuery = Closed({
  ...listQuery,
  state: Type.Optional(
    Enum(caseStates, { description: 'Only cases in this state.', examples: ['open'] }),
  ),
  subjectId: Type.Optional(
    Uuid({ description: 'Only cases about this interaction or this submission.' }),
  ),
  mine: Type.Optional(
    Enum(caseRelations, {
      description:
        'Only cases that you opened (or a round of them), are a party to, or voted in. Needs a ' +
        'key.',
      examples: ['voted'],
    }),
  ),
  votable: Type.Optional(
    Type.Boolean({
      description:
        'If true, only cases in which you may vote now and have not. Needs a key; with a key ' +
        'whose scopes lack reviewer, you may look but not vote.',
    }),
  ),
});
