import type { StandardSchemaV1 } from '@modelcontextprotocol/server';

type Params = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string';

const isTextMap = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isText));

/** Builds a schema of parameters. Without it, the library reports a bad one as its own fault. */
const buildParamsSchema = <T>(
  isValid: (params: Params) => boolean,
  message: string,
): { readonly params: StandardSchemaV1<T, T> } => ({
  params: {
    '~standard': {
      version: 1,
      vendor: 'stoa',
      validate: (params) =>
        isValid(params as Params) ? { value: params as T } : { issues: [{ message }] },
    },
  },
});

/** The parameters of resources/read. */
export const readParamsSchema = buildParamsSchema<{ readonly uri: string }>(
  ({ uri }) => isText(uri),
  'uri must be a string',
);

/** The parameters of prompts/get. */
export const promptParamsSchema = buildParamsSchema<{
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}>(
  (params) => isText(params.name) && isTextMap(params.arguments),
  'name must be a string, and each argument too',
);
