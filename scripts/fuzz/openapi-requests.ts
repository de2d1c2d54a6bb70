import fc from 'fast-check';
import { fillExample } from './filled-examples.ts';
import {
  buildEncodedText,
  buildFittingValue,
  buildForm,
  buildNearlyFittingValue,
  buildPayload,
  buildSparseRecord,
  type Known,
  oddText,
  type Schema,
  uploadBody,
} from './fuzz-inputs.ts';
import { oddHeaders } from './odd-headers.ts';

/** A request as it is sent, without a credential. */
export interface FuzzRequest {
  readonly operation: string;
  /** What the answer is, by the last part of the path that is no parameter. */
  readonly collection: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | null;
  readonly body: Buffer | null;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface DocumentOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

/** The parts of an OpenAPI document that requests are made from. */
export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: unknown;
}

const methods = ['get', 'post', 'put', 'delete'];

/** Returns a document with every `$ref` replaced by what it names. */
function resolveReferences(document: ApiDescription): ApiDescription {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Readonly<Record<string, unknown>>;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, resolve(one)]));
    return resolve(
      $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], document),
    );
  };
  return { paths: resolve(document.paths) as ApiDescription['paths'] };
}

/** Parameters of a path, which are all there, or of a query, most of which are left out. */
function buildRecord(
  parameters: readonly Parameter[],
  known: Known,
): fc.Arbitrary<Record<string, string>> {
  const arbitraries = Object.fromEntries(
    parameters.map(({ name, schema }) => [
      name,
      fc.oneof(
        { weight: 6, arbitrary: buildEncodedText(buildFittingValue(schema, known, name)) },
        { weight: 1, arbitrary: buildEncodedText(oddText) },
      ),
    ]),
  );
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  return buildSparseRecord(arbitraries, inPath) as fc.Arbitrary<Record<string, string>>;
}

const UPLOAD = 'multipart/form-data';

/** Bytes of a body of a media type. */
function buildBody(type: string | null, value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  if (type === UPLOAD) return uploadBody;
  return type === 'application/x-www-form-urlencoded' ? buildForm(value) : buildPayload(value);
}

function buildRequests(
  path: string,
  method: string,
  { operationId, parameters = [], requestBody }: DocumentOperation,
  known: Known,
): fc.Arbitrary<FuzzRequest> {
  const inPath = parameters.filter((one) => one.in === 'path');
  // A wait would only cost time.
  const inQuery = parameters.filter((one) => one.in === 'query' && one.name !== 'wait');
  const [contentType = null, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const value = media
    ? fc.oneof(
        ...(media.schema.examples ?? []).map((example) => ({
          weight: 3,
          arbitrary: fillExample(example, known),
        })),
        { weight: 3, arbitrary: buildFittingValue(media.schema, known) },
        { weight: 2, arbitrary: buildNearlyFittingValue(media.schema, known) },
      )
    : fc.constant({});
  // `{id}` is the id of what the part of the path before it says.
  const nameIn = (parameter: string): string =>
    new RegExp(`([\\w-]+)/\\{${parameter}\\}`).exec(path)?.[1] ?? parameter;
  const knownInPath: Known = (name, others) => known(name === 'id' ? nameIn(name) : name, others);
  return fc
    .record({
      pathParts: buildRecord(inPath, knownInPath),
      query: buildRecord(inQuery, known),
      headers: oddHeaders,
      body: buildBody(contentType, value),
    })
    .map(({ pathParts, query, headers, body }) => {
      const search = Object.entries(query).map(([name, text]) => `${name}=${text}`);
      return {
        operation: operationId,
        collection: path.split('/').findLast((part) => !part.startsWith('{')) ?? '',
        method: method.toUpperCase(),
        path:
          path.replace(/\{(\w+)\}/g, (_, name: string) => pathParts[name] ?? '') +
          (search.length > 0 ? `?${search.join('&')}` : ''),
        headers,
        contentType: contentType === UPLOAD ? `${UPLOAD}; boundary=b` : contentType,
        body: contentType === null ? null : body,
      };
    });
}

/** Lists, for each operation of a document, the requests that the fuzz draws from. */
export function listRequests(
  document: ApiDescription,
  known: Known,
): { readonly name: string; readonly requests: fc.Arbitrary<FuzzRequest> }[] {
  const { paths } = resolveReferences(document);
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as DocumentOperation | undefined;
      if (!operation) return [];
      const requests = buildRequests(path, method, operation, known);
      return [{ name: operation.operationId, requests }];
    }),
  );
}
