import type { StandardSchemaV1 } from '@modelcontextprotocol/server';

type Params = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string';

const isTexts = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isText));

/** What the library tells as a fault of its own, told as one of the parameters. */
const paramsOf = <T>(
  fits: (given: Params) => boolean,
  message: string,
): { readonly params: StandardSchemaV1<T, T> } => ({
  params: {
    '~standard': {
      version: 1,
      vendor: 'stoa',
      validate: (given) =>
        fits(given as Params) ? { value: given as T } : { issues: [{ message }] },
    },
  },
});

export const readParams = paramsOf<{ readonly uri: string }>(
  ({ uri }) => isText(uri),
  'uri must be a string',
);

export const promptParams = paramsOf<{
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}>(
  (given) => isText(given.name) && isTexts(given.arguments),
  'name must be a string, and each of the arguments one',
);
