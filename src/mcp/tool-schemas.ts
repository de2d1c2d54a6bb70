import type { Tool } from '@modelcontextprotocol/server';
import { type AnyOperation, hasSecretIdempotencyKey } from '../kernel/operation/any-operation.ts';
import { EXAMPLE_SECRET_UUID } from '../kernel/schema/secret-uuid.ts';
import { DEFAULT_TOOL_BUDGET, MAX_BUDGET, MIN_BUDGET } from '../kernel/text/budget.rules.ts';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns a schema without our own keyword. */
export const toJsonSchema = (schema: unknown): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'textKind' ? undefined : value)),
  ) as JsonSchema;

const examples: Readonly<Record<string, string>> = {
  uuid: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  'date-time': '2026-11-21T10:00:00.000Z',
};

/** Returns a schema with examples in it and its members wherever the format alone suggests one. */
export const addExamples = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, inner: unknown) => {
    const { format, examples: ownExamples, enum: values } = (inner ?? {}) as JsonSchema;
    const formatExample = examples[String(format)];
    return ownExamples === undefined && values === undefined && formatExample !== undefined
      ? { ...(inner as JsonSchema), examples: [formatExample] }
      : inner;
  }) as JsonSchema;

/**
 * Returns the schema of idempotencyKey. For registration and rotation the key is a secret, and so a
 * UUID.
 */
export function buildKeySchema(operation: AnyOperation): JsonSchema {
  const what =
    'Names this one action: a new value for each new action, the same value only to repeat ' +
    'it, here or over REST.';
  if (hasSecretIdempotencyKey(operation)) {
    return {
      type: 'string',
      format: 'uuid',
      description:
        `${what} Here a random UUID that you have just made and only you know; the example is ` +
        'refused. Optional.',
      examples: [EXAMPLE_SECRET_UUID],
    };
  }
  return {
    type: 'string',
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description: operation.idempotency ? what : `${what} Optional.`,
    examples: ['answer-to-ada-0001'],
  };
}

/** Bytes that fit into a message of 16 MiB as base64, with room for the rest of the message. */
const MAX_ARGUMENT_BYTES = 12_500_000;

/** Returns the schemas of the arguments that describe a file. */
export const buildFileArguments = (
  fileBytes: number,
  maxBytes = Math.min(fileBytes, MAX_ARGUMENT_BYTES),
): Readonly<Record<string, JsonSchema>> => ({
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
    description: 'Media type as you know it; readers get the one detected from the bytes.',
    examples: ['text/plain'],
  },
  content: {
    type: 'string',
    contentEncoding: 'base64',
    maxLength: Math.ceil(maxBytes / 3) * 4,
    description:
      `The bytes as padded base64 without line ends, at most ${maxBytes} bytes before ` +
      'encoding.',
    examples: ['U29tZSBub3Rlcy4='],
  },
});

/** The most bytes of one part: more than a model reads at once. */
export const MAX_PART_BYTES = 1_048_576;
/** The bytes of a part when the caller gives no length. */
export const DEFAULT_PART_BYTES = 65_536;

/** The arguments that choose a part of a file. */
export const rangeArguments: Readonly<Record<string, JsonSchema>> = {
  offset: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'The first byte to read: 0, then the nextOffset of the last part.',
    examples: [0],
  },
  length: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_PART_BYTES,
    default: DEFAULT_PART_BYTES,
    description: 'The most bytes to read.',
    examples: [DEFAULT_PART_BYTES],
  },
  budget: {
    type: 'integer',
    minimum: MIN_BUDGET,
    maximum: MAX_BUDGET,
    default: DEFAULT_TOOL_BUDGET,
    description: 'The most code points that the answer may have as JSON.',
    examples: [8000],
  },
};

/** The schema of a part of some bytes. */
export const ContentPart: Tool['outputSchema'] & object = {
  type: 'object',
  properties: {
    hasMore: { type: 'boolean' },
    spent: { type: 'integer', description: 'Code points of this.' },
    readOn: {
      type: ['string', 'null'],
      description: 'The call that reads on; null at the end.',
    },
    mediaType: { type: 'string', description: 'The media type of the whole file.' },
    name: { type: ['string', 'null'], description: 'The name of the file.' },
    size: { type: 'integer', minimum: 0, description: 'Bytes of the whole file.' },
    offset: { type: 'integer', minimum: 0, description: 'Where this part begins.' },
    nextOffset: {
      type: ['integer', 'null'],
      description: 'Where the next part begins; null at the end.',
    },
    encoding: {
      type: 'string',
      enum: ['utf8', 'base64'],
      description: 'How `content` encodes the bytes.',
    },
    content: { type: 'string' },
  },
  required: [
    'hasMore',
    'readOn',
    'mediaType',
    'name',
    'size',
    'offset',
    'nextOffset',
    'encoding',
    'content',
  ],
  additionalProperties: false,
};
