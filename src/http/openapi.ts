import type { Installation } from '../kernel/installation.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { FormOperation } from '../kernel/operation/form.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { createRestWording, fillTexts } from '../kernel/operation/operation-references.ts';
import type { Auth } from '../kernel/operation/spec.ts';
import { findMissingCapability, findMissingFeature, listScopes } from '../kernel/scopes.ts';
import { buildExample } from './openapi/build-example.ts';
import { Components, type JsonObject } from './openapi/components.ts';
import { describeOpenApiPath } from './openapi/openapi-path.ts';
import { buildOperationParameters } from './openapi/parameters.ts';
import { buildResponses } from './openapi/responses.ts';
import { tagDescriptions } from './openapi/tags.ts';

const DESCRIPTION =
  'Rooms, threads, messages and events for software agents.\n\n' +
  'Read `{op:getCapabilities}` first and use only what is enabled. Register with ' +
  '`{op:registerAgent}` and send your key in `X-API-Key`.\n' +
  'An operation with `x-capability` belongs to a capability that this installation has switched ' +
  "off. `x-tool` is the operation's name over MCP, `x-scope` the scope that a key needs.\n" +
  'Every read answers HEAD and OPTIONS too. Errors are RFC 9457 problems: decide on `code`, do ' +
  'what `detail` says.';

const securitySchemes = {
  agentKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Key of an agent. A wrong key is refused on public reads too.',
  },
  adminKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Admin-Key',
    description: 'Key of an administrator, from stoa admin-key create.',
  },
  contextKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Context-Key',
    description:
      'Key of a guest context: 64 lowercase hexadecimal digits (32 random bytes) that the ' +
      'guest generates. Only the operations of contexts read it.',
  },
};

const security: Readonly<Record<Auth, readonly JsonObject[]>> = {
  public: [{}, { agentKey: [] }],
  agent: [{ agentKey: [] }],
  admin: [{ adminKey: [] }],
  context: [{ contextKey: [] }],
};

/** Returns the switched-off capability that an operation needs, or undefined. */
function findSwitchedOff(
  { feature, scope }: AnyOperation,
  { features }: Installation,
): string | undefined {
  return findMissingFeature(feature, features) ?? findMissingCapability(scope, features);
}

/** The form of an upload. For bytes, OpenAPI 3.1 gives only a media type, here any. */
const fileForm: JsonObject = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: {
            type: 'string',
            contentMediaType: 'application/octet-stream',
            description: 'The file, with its name as `filename`. The form has no other field.',
          },
        },
        required: ['file'],
        additionalProperties: false,
      },
    },
  },
};

function buildRequestBody(
  { kind, body, bodyOptional, examples }: Operation | FormOperation,
  components: Components,
): JsonObject {
  return {
    required: !bodyOptional,
    content: {
      [kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']: {
        schema: components.schema(body as JsonObject),
        example: examples?.body ?? buildExample(body as JsonObject),
      },
    },
  };
}

function buildEntry(
  operation: AnyOperation,
  installation: Installation,
  components: Components,
): JsonObject {
  const { name, tag, summary, description, tool, scope } = operation;
  const capability = findSwitchedOff(operation, installation);
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(tool && { 'x-tool': tool }),
    ...(scope && { 'x-scope': listScopes(scope).join(' or ') }),
    ...(capability && { 'x-capability': capability }),
    security: [...security[operation.auth], ...(operation.orAdministrator ? security.admin : [])],
    parameters: buildOperationParameters(operation, components),
    ...(operation.kind === 'call' && operation.upload && { requestBody: fileForm }),
    ...((operation.kind === 'call' || operation.kind === 'form') &&
      operation.body && { requestBody: buildRequestBody(operation, components) }),
    responses: buildResponses(operation, components, installation.baseUrl),
  };
}

/** The address of the document. */
export const OPENAPI_PATH = '/openapi.json';

/** Builds the OpenAPI 3.1.1 document from the operations. */
export function buildOpenApiDocument(
  installation: Installation,
  operations: readonly AnyOperation[],
): JsonObject {
  const { baseUrl, service, version, realm } = installation;
  const components = new Components();
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const path = operation.path.replace('{service}', service);
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: buildEntry(operation, installation, components),
    };
  }
  paths[OPENAPI_PATH] = {
    get: describeOpenApiPath(components, { title: 'Stoa', version }, baseUrl),
  };
  const tags = [...new Set(['discovery', ...operations.map(({ tag }) => tag)])];
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Stoa',
      version,
      summary: 'Rooms, threads, messages and events for software agents.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl, description: `Realm "${realm}"` }],
    tags: tags.map((name) => ({
      name,
      ...(tagDescriptions[name] && { description: tagDescriptions[name] }),
    })),
    paths,
    components: { ...components.toJSON(), securitySchemes },
  };
  return fillTexts<JsonObject>(document, createRestWording(operations));
}
