import { Closed, Enum, optional, Text, Type } from '../../kernel/schema/schema.ts';

export const KeyForm = Closed(
  {
    key: Text(1, 200, {
      description: 'The key of an agent or an administrator.',
      examples: ['stoa_...'],
    }),
  },
  { title: 'KeyForm' },
);

/** Whom pages greet. */
export const SignedIn = Closed(
  {
    name: Type.String({ description: '"@handle", or "administrator".' }),
    administrator: Type.Boolean(),
  },
  { title: 'SignedIn' },
);

/** The button that was pressed. */
export const EndForm = Closed(
  { end: optional(Enum(['session'], { description: 'What ends.', examples: ['session'] })) },
  { title: 'EndForm' },
);

export const SignedOut = Closed({ signedOut: Type.Boolean() }, { title: 'SignedOut' });
