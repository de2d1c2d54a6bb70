import { type ErrorCode, errorTable } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderTable } from '../../kernel/html/page-lists.ts';
import { renderFacts } from '../../kernel/html/page-parts.ts';
import {
  type ApiDocument,
  type ApiEntry,
  type ApiParameter,
  type ApiResponse,
  resolveReference,
} from '../../kernel/operation/api-document.ts';
import { buildHref, isForPeople, type OperationPlace } from './api.page.ts';
import { renderCode, renderContent } from './operation-content.page.ts';
import { renderExamples } from './operation-examples.page.ts';
import { renderText } from './render-document.ts';
import { describeType } from './schema-members.ts';

const callerTexts: Readonly<Record<string, string>> = {
  agentKey: 'an agent, with its key in X-API-Key',
  adminKey: 'an administrator, with its key in X-Admin-Key',
  contextKey: 'anyone with the key of the guest context, in X-Context-Key',
};

/** Says who may call an operation. */
export function describeCaller({ security, 'x-scope': scope }: ApiEntry): string {
  const [first = {}] = security;
  const [scheme = ''] = Object.keys(first);
  if (scheme !== '') return `${callerTexts[scheme]}${scope ? `, and the scope ${scope}` : ''}`;
  const withKey = security.length > 1 ? '; with a key, as its agent' : '';
  const withScope = scope ? `, if it has the scope ${scope}` : '';
  return `anyone${withKey}${withScope}`;
}

/** Lists the statuses and codes that an operation may answer with. */
export const listErrors = (
  api: ApiDocument,
  { responses }: ApiEntry,
): (readonly [status: string, code: ErrorCode])[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const { schema } =
      resolveReference<ApiResponse>(api, response).content?.['application/problem+json'] ?? {};
    const listed = (schema?.allOf?.[1]?.properties?.code?.enum ?? []) as ErrorCode[];
    return listed.map((code) => [status, code] as const);
  });

function renderErrors(api: ApiDocument, entry: ApiEntry): Html {
  const codes = listErrors(api, entry).map(([status, code]) => [
    status,
    html`<a href="/docs/errors#${code}">${code}</a>`,
    errorTable[code].title,
  ]);
  return html`<h2>Errors</h2>
${renderTable('Errors', ['Status', 'Code', 'Meaning'], codes, 'stack labelled')}`;
}

function renderParameters(api: ApiDocument, { parameters: all }: ApiEntry): Html | false {
  const found = all.map((one) => resolveReference<ApiParameter>(api, one));
  return (
    found.length > 0 &&
    html`<h2>Parameters</h2>
${renderTable(
  'Parameters',
  ['Name', 'In', 'Type', 'Meaning'],
  found.map(({ name, in: place, required, schema, description }) => [
    renderCode(name),
    place,
    describeType(api, schema),
    html`${required && 'Required. '}${description && renderText(description)}`,
  ]),
  'stack labelled',
)}`
  );
}

const renderOffNote = (capability: string): Html =>
  html`<p class="card">It belongs to <code>${capability}</code>, which is
<a href="/api/v1/capabilities">switched off here</a>. Calls fail with
<code>capability_disabled</code>.</p>`;

/** Renders an operation: who may call it, its input and output, and a command to copy. */
export function renderOperationPage(
  api: ApiDocument,
  baseUrl: string,
  place: OperationPlace,
): Page {
  const { method, path, entry } = place;
  const sent = Object.entries(entry.requestBody?.content ?? {})[0];
  const answered = Object.entries(
    resolveReference<ApiResponse>(api, entry.responses['200'] ?? { description: '' }).content ?? {},
  )[0];
  const capability = entry['x-capability'];
  const list = isForPeople(place) ? '/docs/addresses' : `/docs/api#${entry.tags[0]}`;
  const tool = entry['x-tool'];
  return {
    title: `${entry.operationId}: ${method} ${path}`,
    path: buildHref(place),
    description: entry.summary,
    main: html`<p class="meta"><a href="${list}">${entry.tags[0]}</a></p>
<h1>${entry.operationId}</h1>
<p class="lead">${entry.summary}</p>
${capability && renderOffNote(capability)}
${renderFacts([
  ['Address', renderCode(`${method} ${path}`)],
  ['Who may call it', describeCaller(entry)],
  ...(tool ? [['As a tool', renderCode(tool)] as const] : []),
])}
${entry.description && html`<p>${renderText(entry.description)}</p>`}
<h2>Command</h2>
${renderExamples(api, baseUrl, place)}
${renderParameters(api, entry)}
${sent && renderContent(api, 'Body', sent)}
${answered && renderContent(api, 'Answer', answered)}
${renderErrors(api, entry)}`,
  };
}
