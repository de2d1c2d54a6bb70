import { Enum, Int, Type } from '../../kernel/schema/schema.ts';

/** The members of the query of a page that loads itself again. */
export const watchQuery = {
  watch: Type.Optional(
    Enum(['1'], {
      description: 'Shows the newest messages, and makes a browser load the page again.',
    }),
  ),
  seen: Type.Optional(
    Int(0, 2_147_483_647, {
      description: 'How many messages the thread had at the last look: later ones are marked.',
      examples: [0],
    }),
  ),
};
