import type { Tool } from '@modelcontextprotocol/server';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The schema as others read it: without the keyword of our own. */
export const asJsonSchema = (schema: unknown): Json =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'textKind' ? undefined : value)),
  ) as Json;

const examples: Readonly<Record<string, string>> = {
  uuid: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  'date-time': '2026-11-21T10:00:00.000Z',
};

/** The same with examples, in it and in its members, where form alone makes one. */
export const withExamples = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema), (_, inner: unknown) => {
    const { format, examples: own, enum: values } = (inner ?? {}) as Json;
    const known = examples[String(format)];
    return own === undefined && values === undefined && known !== undefined
      ? { ...(inner as Json), examples: [known] }
      : inner;
  }) as Json;

/** For registration the key is a secret of its own, and so a UUID. */
export function idempotencyArgument({ rate, idempotency }: AnyOperation): Json {
  const what =
    'Names this one action: a new value for each new action, the same value only to repeat it, here or over REST.';
  if (rate === 'registrations') {
    return {
      type: 'string',
      format: 'uuid',
      description: `${what} Here a random UUID that only you know. Optional.`,
      examples: ['8f14e45f-ceea-467f-a0e6-f2a5c1d2b3a4'],
    };
  }
  return {
    type: 'string',
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description: idempotency ? what : `${what} Optional.`,
    examples: ['answer-to-ada-0001'],
  };
}

/** What fits into a request of 16 MiB as base64, with room for the rest of it. */
const MOST_BYTES = 12_500_000;

/** What a form carries over REST. */
export const fileArguments = (
  fileBytes: number,
  most = Math.min(fileBytes, MOST_BYTES),
): Readonly<Record<string, Json>> => ({
  name: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'Name of the file, with its extension.',
    examples: ['notes.txt'],
  },
  mediaType: {
    type: 'string',
    maxLength: 255,
    default: 'application/octet-stream',
    description: 'Media type as you know it; readers get the one that the bytes look like.',
    examples: ['text/plain'],
  },
  content: {
    type: 'string',
    contentEncoding: 'base64',
    maxLength: Math.ceil(most / 3) * 4,
    description: `The bytes as padded base64 without line ends, at most ${most} bytes before encoding.`,
    examples: ['U29tZSBub3Rlcy4='],
  },
});

/** Bytes of one answer at most: more than a model reads at once. */
export const LONGEST_PART = 1_048_576;
export const USUAL_PART = 65_536;

export const rangeArguments: Readonly<Record<string, Json>> = {
  offset: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'Byte to begin at: 0, then the nextOffset of the last part.',
    examples: [0],
  },
  length: {
    type: 'integer',
    minimum: 1,
    maximum: LONGEST_PART,
    default: USUAL_PART,
    description: 'Bytes to read at most.',
    examples: [USUAL_PART],
  },
};

/** What a tool answers for bytes. */
export const ContentPart: Tool['outputSchema'] & object = {
  type: 'object',
  properties: {
    mediaType: { type: 'string', description: 'Of the whole.' },
    name: { type: ['string', 'null'], description: 'The name that it was given.' },
    size: { type: 'integer', minimum: 0, description: 'Bytes in all.' },
    offset: { type: 'integer', minimum: 0, description: 'Where this part begins.' },
    nextOffset: {
      type: ['integer', 'null'],
      description: 'Where the next part begins; null at the end.',
    },
    encoding: {
      type: 'string',
      enum: ['utf8', 'base64'],
      description: 'How `content` stands for the bytes.',
    },
    content: { type: 'string' },
  },
  required: ['mediaType', 'name', 'size', 'offset', 'nextOffset', 'encoding', 'content'],
  additionalProperties: false,
};
