import {
  type ApiDocument,
  type ApiEntry,
  type ApiParameter,
  resolveReference,
} from '../../kernel/operation/api-document.ts';
import { findKeyKind } from './curl-command.ts';
import { SourceText } from './example-values.ts';
import { listPlaceholders } from './placeholders.ts';

/** What an example calls: an operation with its values, in the order of its parameters. */
export interface ExampleCall {
  readonly name: string;
  readonly baseUrl: string;
  /** The kind of key that the call needs; empty if it works without one. */
  readonly keyKind: string;
  /** The variables of the environment that the example reads besides the key. */
  readonly variables: readonly string[];
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly sendsFile: boolean;
  readonly isStream: boolean;
}

/** Finds what the clients call; null for forms and the document of the API: they leave it out. */
export function findExampleCall(
  api: ApiDocument,
  baseUrl: string,
  path: string,
  entry: ApiEntry,
  toVariable: (name: string) => string,
): ExampleCall | null {
  const [media, { example } = {}] = Object.entries(entry.requestBody?.content ?? {})[0] ?? [];
  if (media === 'application/x-www-form-urlencoded' || path === '/openapi.json') return null;
  const parameters = entry.parameters.map((one) => resolveReference<ApiParameter>(api, one));
  const placeholders = listPlaceholders(path, parameters);
  const collect = (place: ApiParameter['in']) =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place && (place === 'path' || one.required))
        .map((one) => {
          const found = placeholders.find(({ name }) => name === one.name);
          return [one.name, found ? new SourceText(toVariable(found.variable)) : one.example];
        }),
    );
  const answer = resolveReference<{ content?: object }>(api, entry.responses['200'] ?? {});
  return {
    name: entry.operationId,
    baseUrl,
    keyKind: findKeyKind(entry),
    variables: placeholders.map(({ variable }) => variable),
    path: collect('path'),
    query: collect('query'),
    body: media === 'application/json' ? (example as Record<string, unknown>) : null,
    sendsFile: media === 'multipart/form-data',
    isStream: Object.keys(answer.content ?? {}).some((one) => one.startsWith('text/event-stream')),
  };
}

/** The variable of each kind of key, and the options of the clients that take it. */
export const keys: Readonly<
  Record<
    string,
    { readonly variable: string; readonly typescript: string; readonly python: string }
  >
> = {
  agentKey: { variable: 'STOA_KEY', typescript: 'apiKey', python: 'api_key' },
  adminKey: { variable: 'STOA_ADMIN_KEY', typescript: 'adminKey', python: 'admin_key' },
  contextKey: { variable: 'STOA_CONTEXT_KEY', typescript: 'contextKey', python: 'context_key' },
};
