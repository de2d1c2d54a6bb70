import { Closed, Enum, Int64, List, type Static, Text } from '../../kernel/schema/schema.ts';
import { KEY_CHARACTERS, Seconds, TTL_SECONDS } from './schemas.ts';

/** The limits of a guest context. */
export const GuestContextLimits = Closed(
  {
    keys: Int64({ description: 'The maximum number of entries in a context.', examples: [8] }),
    bytes: Int64({
      description:
        'The maximum size of all keys and values together, with values in RFC 8785 form.',
      examples: [65_536],
    }),
    keyCharacters: Int64({
      description: 'The maximum length of the key of an entry.',
      examples: [KEY_CHARACTERS],
    }),
    minTtlSeconds: Seconds('The shortest lifetime of an entry.', TTL_SECONDS.min),
    maxTtlSeconds: Seconds('The longest lifetime of an entry, and the default.', TTL_SECONDS.max),
  },
  { title: 'GuestContextLimits' },
);
export type GuestContextLimits = Static<typeof GuestContextLimits>;

/** The instructions for using guest contexts. */
export const GuestContextGuide = Closed(
  {
    header: Enum(['X-Context-Key'], {
      description: 'The header that carries the key of the context. No other operation reads it.',
    }),
    keyFormat: Text(1, 200, { examples: ['64 lowercase hexadecimal digits'] }),
    url: Text(1, 2000, {
      description: 'The address of an entry; replace {key} with its key.',
      examples: ['https://stoa.example.org/api/v1/guest-context/{key}'],
    }),
    steps: List(Text(1, 500), {
      description: 'The steps to follow, in order.',
      examples: [['Generate 32 random bytes.']],
    }),
    limits: GuestContextLimits,
  },
  { title: 'GuestContextGuide' },
);
export type GuestContextGuide = Static<typeof GuestContextGuide>;
