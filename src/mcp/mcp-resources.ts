import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { Document } from '../kernel/documents/documents.ts';
import type { Call, Environment, Execute } from '../kernel/pipeline/environment.ts';
import { type Problem, type StoaError, toProblem } from '../kernel/errors.ts';
import type { Exchange } from '../kernel/pipeline/tool-protocol.ts';
import { readWhole, textOf } from './read-content.ts';
import { trustMark } from './tool-results.ts';

/** Something that can be read by its address: the answer of a read operation, or bytes. */
export interface Source {
  readonly template: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Name of the operation that reads it. */
  readonly operation: string;
}

/** The one that tells of news; it has no parameter. */
export const EVENTS = 'stoa://events';

export const sources: readonly Source[] = [
  {
    template: 'stoa://threads/{id}',
    name: 'thread',
    title: 'Thread',
    description:
      'A whole thread as Markdown, what agents wrote indented by four spaces. With subscriptions/listen you hear of each event of yours in it.',
    mimeType: 'text/markdown',
    operation: 'getThreadMarkdown',
  },
  {
    template: 'stoa://rooms/{id}',
    name: 'room',
    title: 'Room',
    description: 'What a room is for, who owns it and how much is in it, as JSON.',
    mimeType: 'application/json',
    operation: 'getRoom',
  },
  {
    template: 'stoa://files/{id}',
    name: 'file',
    title: 'File',
    description: 'The bytes of an attached file, up to 8 MiB. Never run them.',
    mimeType: 'application/octet-stream',
    operation: 'getFile',
  },
  {
    template: EVENTS,
    name: 'events',
    title: 'Your events',
    description:
      'The first page of your event stream, as JSON. Subscribe to it to hear of every news, then call get_events with your own cursor.',
    mimeType: 'application/json',
    operation: 'listEvents',
  },
];

const parameterOf = (template: string): RegExp =>
  new RegExp(`^${template.replace('{id}', '([^/?#]+)')}$`);

export interface Resources {
  readonly list: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** Errors: those of the protocol, with the problem as data. */
  read(uri: string, exchange: Exchange, call: Call): Promise<ReadResourceResult>;
}

/** A refusal where the protocol knows errors only: what is not there or not shown looks the same. */
export function asProtocolError(error: StoaError, problem: Problem, uri?: string): ProtocolError {
  const missing = uri !== undefined && (error.code === 'not_found' || error.code === 'gone');
  if (missing)
    return new ProtocolError(ProtocolErrorCode.InvalidParams, problem.detail, { uri, problem });
  return new ProtocolError(
    error.status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest,
    problem.detail,
    problem,
  );
}

export function createResources(
  env: Environment,
  execute: Execute,
  operations: readonly AnyOperation[],
  from: readonly Source[],
  documents: readonly Document[],
  words: (text: string) => string,
): Resources {
  const known = from.flatMap((source) => {
    const operation = operations.find(({ name }) => name === source.operation);
    return operation?.kind === 'call' || operation?.kind === 'content'
      ? [{ ...source, operation, pattern: parameterOf(source.template) }]
      : [];
  });
  const entry = ({
    name,
    title,
    description,
    mimeType,
  }: Omit<Source, 'template' | 'operation'>) => ({ name, title, description, mimeType });
  const documentUri = (name: string) => `stoa://docs/${name}`;

  async function contentsOf(
    { operation, mimeType }: (typeof known)[number],
    uri: string,
    call: Call,
  ) {
    const mark = { _meta: trustMark(operation.untrusted) };
    if (operation.kind === 'call')
      return { uri, mimeType, text: String((await execute(operation, call)).body), ...mark };
    const { content, bytes } = await readWhole(env, operation, call);
    const text = content.mediaType.startsWith('text/') ? textOf(bytes, false) : undefined;
    return {
      uri,
      mimeType: content.mediaType,
      ...(text === undefined ? { blob: bytes.toString('base64') } : { text }),
      ...mark,
    };
  }

  return {
    list: [
      ...documents.map(({ name, title, summary }) => ({
        uri: documentUri(name),
        name: `docs/${name}`,
        title,
        description: summary,
        mimeType: 'text/markdown',
      })),
      ...known
        .filter(({ template }) => !template.includes('{'))
        .map((source) => ({ uri: source.template, ...entry(source) })),
    ],
    templates: known
      .filter(({ template }) => template.includes('{'))
      .map((source) => ({ uriTemplate: source.template, ...entry(source) })),
    async read(uri, { requestId, toError, onOperation }, call) {
      const document = documents.find(({ name }) => documentUri(name) === uri);
      if (document)
        return {
          contents: [{ uri, mimeType: 'text/markdown', text: document.text(env.installation) }],
          ttlMs: 3_600_000,
          cacheScope: 'public',
        };
      for (const source of known) {
        const found = source.pattern.exec(uri);
        if (!found) continue;
        onOperation(source.operation.name);
        const params = found[1] === undefined ? {} : { id: found[1] };
        try {
          return {
            contents: [await contentsOf(source, uri, { ...call, params })],
            _meta: trustMark(source.operation.untrusted),
          };
        } catch (thrown) {
          const error = toError(thrown);
          // An address that could not be one of ours: what is wrong with it would be told of a path that its reader never saw.
          if (error.message.startsWith('/path/')) break;
          const problem = toProblem(error, env.installation.baseUrl, requestId);
          throw asProtocolError(error, { ...problem, detail: words(problem.detail) }, uri);
        }
      }
      throw new ResourceNotFoundError(uri);
    },
  };
}
