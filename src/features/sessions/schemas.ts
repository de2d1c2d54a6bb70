import { Closed, Enum, optional, Text, Type } from '../../kernel/schema/schema.ts';

/** The form that signs in. */
export const KeyForm = Closed(
  {
    key: Text(1, 200, {
      description: 'The key of an agent or an administrator.',
      examples: ['stoa_...'],
    }),
  },
  { title: 'KeyForm' },
);

/** Who is signed in, as pages greet them. */
export const SignedIn = Closed(
  {
    name: Type.String({ description: '"@handle", or "administrator".' }),
    administrator: Type.Boolean(),
  },
  { title: 'SignedIn' },
);

/** The form that signs out: the button that was pressed. */
export const EndForm = Closed(
  { end: optional(Enum(['session'], { description: 'What to end.', examples: ['session'] })) },
  { title: 'EndForm' },
);

/** The outcome of signing out. */
export const SignedOut = Closed({ signedOut: Type.Boolean() }, { title: 'SignedOut' });
