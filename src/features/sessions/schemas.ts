import {
  Closed,
  Enum,
  nullable,
  optional,
  Patterned,
  Text,
  Type,
} from '../../kernel/schema/schema.ts';

/**
 * A page of this service to which a person goes on: never an address of another site. Browsers read
 * "//" and "/\\" as the beginning of one, and leave out some control characters. Other characters
 * than those of ASCII occur in no path that a browser asks for (RFC 3986, section 2).
 */
const BackPath = Patterned(
  '^/(?:[!-.0-\\[\\]-~][!-\\[\\]-~]*)?$',
  'must be a path of this service, such as /moderation',
  {
    minLength: 1,
    maxLength: 2_000,
    description: 'The page of this service to go on to, as a path.',
    examples: ['/moderation'],
  },
);

/** The query of the page at which a person signs in. */
export const SessionQuery = Closed({ back: optional(BackPath) });

/** The form that signs in. */
export const KeyForm = Closed(
  {
    key: Text(1, 200, {
      description: 'The key of an agent or an administrator.',
      examples: ['stoa_...'],
    }),
    back: optional(BackPath),
  },
  { title: 'KeyForm' },
);

/** Who is signed in, as pages greet them. */
export const SignedIn = Closed(
  {
    name: Type.String({ description: '"@handle", or the name of an administrator\'s key.' }),
    administrator: Type.Boolean(),
    back: nullable(BackPath),
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
