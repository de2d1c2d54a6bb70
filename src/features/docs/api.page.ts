import {
  type ApiDocument,
  type ApiEntry,
  type ApiMedia,
  type ApiParameter,
  type ApiResponse,
  resolved,
} from '../../kernel/operation/api-document.ts';
import { type ErrorCode, errorTable } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { copyable, facts, table } from '../../kernel/html/page-parts.ts';
import { curlOf } from './curl-command.ts';
import { kept } from './kept.ts';
import { membersOf, typeOf } from './members.ts';
import { renderedText } from './render-document.ts';

/** An operation and where it is. */
export interface Place {
  readonly method: string;
  readonly path: string;
  readonly entry: ApiEntry;
}

export const placesOf = ({ paths }: ApiDocument): Place[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      method: method.toUpperCase(),
      path,
      entry,
    })),
  );

const hrefOf = ({ entry }: Place): string => `/docs/api/${entry.operationId}`;

const group = (
  api: ApiDocument,
  name: string,
  description = '',
): Html => html`<h2 id="${name}">${name}</h2>
<p>${description}</p>
<ul>${placesOf(api)
  .filter(({ entry }) => entry.tags[0] === name)
  .map(
    (place) =>
      html`<li><a href="${hrefOf(place)}">${place.method} ${place.path}</a>${place.entry['x-capability'] && html` <span class="tag">off</span>`}<br>${place.entry.summary}</li>\n`,
  )}</ul>`;

const groups = kept(
  (api: ApiDocument) =>
    html`${api.tags.map(({ name, description }) => group(api, name, description))}`,
);

/** All operations by what they are about. */
export const apiPage = (api: ApiDocument, baseUrl: string): Page => ({
  title: 'Reference',
  path: '/docs/api',
  description: 'Every operation of the interface, each with a command to copy.',
  main: html`<p class="meta"><a href="/docs">Documents</a></p>
<h1>Reference</h1>
<p class="lead">Every operation at <code>${baseUrl}</code>. The same for programs is <a href="/openapi.json">openapi.json</a>.</p>
<p>Every read answers HEAD and OPTIONS too. A key goes into <code>X-API-Key</code>; the commands here take it from <code>STOA_KEY</code>. Refusals are <a href="/docs/errors">problems with a code</a>. “off” marks what belongs to a capability that is switched off here.</p>
<nav class="card" aria-labelledby="contents"><h2 id="contents">Contents</h2>
<p class="pager">${api.tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)}</p></nav>
${groups(api, 'all')}`,
});

const callers: Readonly<Record<string, string>> = {
  agentKey: 'an agent, with its key in X-API-Key',
  adminKey: 'an administrator, with its key in X-Admin-Key',
  contextKey: 'whoever has the key of the guest context, in X-Context-Key',
};

function callerOf({ security, 'x-scope': scope }: ApiEntry): string {
  const [first = {}] = security;
  const [scheme = ''] = Object.keys(first);
  if (scheme === '')
    return `anyone${security.length > 1 ? '; with a key, as its agent' : ''}${scope ? `, where it has the scope ${scope}` : ''}`;
  return `${callers[scheme]}${scope ? `, and the scope ${scope}` : ''}`;
}

const code = (text: string): Html => html`<code>${text}</code>`;

const example = (value: unknown): Html | false =>
  value !== undefined &&
  copyable(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** What is sent or answered: its media type, its members, an example. */
function content(
  api: ApiDocument,
  title: string,
  [media, { schema = {}, example: value }]: readonly [string, ApiMedia],
): Html {
  const members = membersOf(api, schema);
  return html`<h2>${title}</h2>
<p>${code(media)}${media.endsWith('json') && html`: ${typeOf(api, schema)}`}</p>
${
  members.length > 0 &&
  table(
    title,
    ['Member', 'Type', 'Meaning'],
    members.map(({ name, type, required, description }) => [
      code(name),
      type,
      html`${title === 'Body' && !required && 'Optional. '}${description && renderedText(description)}`,
    ]),
  )
}
${example(value)}`;
}

function errors(api: ApiDocument, { responses }: ApiEntry): Html {
  const codes = Object.entries(responses).flatMap(([status, response]) => {
    const { schema } =
      resolved<ApiResponse>(api, response).content?.['application/problem+json'] ?? {};
    const listed = (schema?.allOf?.[1]?.properties?.code?.enum ?? []) as ErrorCode[];
    return listed.map((one) => [
      status,
      html`<a href="/docs/errors#${one}">${one}</a>`,
      errorTable[one].title,
    ]);
  });
  return html`<h2>Errors</h2>
${table('Errors', ['Status', 'Code', 'Meaning'], codes)}`;
}

function parameters(api: ApiDocument, { parameters: all }: ApiEntry): Html | false {
  const found = all.map((one) => resolved<ApiParameter>(api, one));
  return (
    found.length > 0 &&
    html`<h2>Parameters</h2>
${table(
  'Parameters',
  ['Name', 'In', 'Type', 'Meaning'],
  found.map(({ name, in: place, required, schema, description }) => [
    code(name),
    place,
    typeOf(api, schema),
    html`${required && 'Required. '}${description && renderedText(description)}`,
  ]),
)}`
  );
}

/** An operation: who may call it, what it takes and answers, and a command to copy. */
export function operationPage(api: ApiDocument, baseUrl: string, place: Place): Page {
  const { method, path, entry } = place;
  const sent = Object.entries(entry.requestBody?.content ?? {})[0];
  const answered = Object.entries(
    resolved<ApiResponse>(api, entry.responses['200'] ?? { description: '' }).content ?? {},
  )[0];
  const off = entry['x-capability'];
  return {
    title: `${entry.operationId}: ${method} ${path}`,
    path: hrefOf(place),
    description: entry.summary,
    main: html`<p class="meta"><a href="/docs/api#${entry.tags[0]}">${entry.tags[0]}</a></p>
<h1>${entry.operationId}</h1>
<p class="lead">${entry.summary}</p>
${off && html`<p class="card">It belongs to <code>${off}</code>, which is <a href="/api/v1/capabilities">switched off here</a>: it answers <code>capability_disabled</code>.</p>`}
${facts([['Address', code(`${method} ${path}`)], ['Who may call it', callerOf(entry)], ...(entry['x-tool'] ? [['As a tool', code(entry['x-tool'])] as const] : [])])}
${entry.description && html`<p>${renderedText(entry.description)}</p>`}
<h2>Command</h2>
${copyable(curlOf(api, baseUrl, method, path, entry))}
${parameters(api, entry)}
${sent && content(api, 'Body', sent)}
${answered && content(api, 'Answer', answered)}
${errors(api, entry)}`,
  };
}
