import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildOpenApiDocument } from '../../src/http/openapi.ts';
import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';
import { operations } from '../../src/operations.ts';
import { installation } from './installation.ts';

/** What a test saw of an answer. */
export interface ObservedAnswer {
  readonly method: string;
  /** With or without its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by its addresses
type Json = any;

const document: Json = JSON.parse(
  JSON.stringify(
    buildOpenApiDocument(installation, operations as unknown as readonly AnyOperation[]),
  ),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(
  document,
  'openapi',
  false,
  false,
);

const patterns = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));
/** A path of names before one that has a parameter in that place. */
patterns.sort((a, b) => a.path.split('{').length - b.path.split('{').length);

const lookUp = (...names: readonly string[]): Json =>
  names.reduce((part, name) => part?.[name], document);
/** Where a part stands, references followed. */
function resolvePath(names: readonly string[]): readonly string[] {
  const reference: string | undefined = lookUp(...names)?.$ref;
  return reference === undefined ? names : resolvePath(reference.slice(2).split('/'));
}

const validators = new Map<string, ValidateFunction>();
function getValidator(names: readonly string[]): ValidateFunction {
  const pointer = names
    .map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
  validators.set(pointer, known);
  return known;
}

/**
 * How an answer differs from what the OpenAPI document says of its operation and status; undefined
 * when it does not, or nothing is said.
 */
export function findOpenApiMismatch({
  method,
  path,
  status,
  headers,
  text,
}: ObservedAnswer): string | undefined {
  const [place = ''] = path.split('?', 1);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const known = patterns.find(
    ({ path: one, pattern }) => pattern.test(place) && lookUp('paths', one, verb) !== undefined,
  );
  if (!known) return undefined;
  const where = `${method} ${path} answered ${status}`;
  const response = resolvePath(['paths', known.path, verb, 'responses', String(status)]);
  const described = lookUp(...response);
  if (described === undefined) return `${where}, which its document does not know.`;

  if (!headers.has('x-request-id')) return `${where} without X-Request-Id.`;
  for (const name of Object.keys(described.headers ?? {})) {
    const { schema } = lookUp(...resolvePath([...response, 'headers', name]));
    const value = headers.get(name);
    if (
      value !== null &&
      (schema.enum
        ? !schema.enum.includes(value)
        : schema.type === 'integer' && !/^\d+$/.test(value))
    )
      return `${where} with ${name}: ${value}.`;
  }
  const documented = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase());
  for (const name of [
    'link',
    'x-total-count',
    'etag',
    'accept-ranges',
    'content-range',
    'content-disposition',
    'idempotency-replayed',
    'x-content-trust',
    'retry-after',
    'www-authenticate',
    'ratelimit',
  ]) {
    // What is limited says so on errors too, where the document says it once for all.
    if (headers.has(name) && !documented.includes(name) && !(name === 'ratelimit' && status >= 400))
      return `${where} with the undocumented header ${name}.`;
  }

  if (method === 'HEAD' || described.content === undefined)
    return text === '' ? undefined : `${where} with a body.`;
  const [media = ''] = (headers.get('content-type') ?? '').split(';', 1);
  if (!(media in described.content) && !('*/*' in described.content && status < 300))
    return `${where} as ${media}.`;
  if (!/[/+]json$/.test(media) || !(media in described.content)) return undefined;
  const validate = getValidator([...response, 'content', media, 'schema']);
  return validate(JSON.parse(text))
    ? undefined
    : `${where} with a body that does not fit: ${ajv.errorsText(validate.errors)}: ` +
        `${text.slice(0, 500)}`;
}
