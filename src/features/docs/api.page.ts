import { fail } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { memoize } from '../../kernel/memoize.ts';
import type { ApiDocument, ApiEntry } from '../../kernel/operation/api-document.ts';

/** An operation with its method and path. */
export interface OperationPlace {
  readonly method: string;
  readonly path: string;
  readonly entry: ApiEntry;
}

/** Lists all operations of the document. */
export const listOperationPlaces = ({ paths }: ApiDocument): OperationPlace[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      method: method.toUpperCase(),
      path,
      entry,
    })),
  );

/** Finds an operation by its id. Errors: `not_found`. */
export function findPlace(api: ApiDocument, operationId: string): OperationPlace {
  const place = listOperationPlaces(api).find(({ entry }) => entry.operationId === operationId);
  if (!place)
    throw fail('not_found', 'There is no such operation. See /docs/api for all operations.');
  return place;
}

/** Builds the address of the page of an operation. */
export const buildHref = ({ entry }: OperationPlace): string => `/docs/api/${entry.operationId}`;

const renderOperationItem = (place: OperationPlace): Html => {
  const { method, path, entry } = place;
  const offTag = entry['x-capability'] && html` <span class="tag">off</span>`;
  return html`<li><a href="${buildHref(place)}">${method} ${path}</a>${offTag}<br>
${entry.summary}</li>\n`;
};

const renderGroup = (
  api: ApiDocument,
  name: string,
  description = '',
): Html => html`<h2 id="${name}">${name}</h2>
<p>${description}</p>
<ul>${listOperationPlaces(api)
  .filter(({ entry }) => entry.tags[0] === name)
  .map(renderOperationItem)}</ul>`;

const renderGroups = memoize(
  (api: ApiDocument) =>
    html`${api.tags.map(({ name, description }) => renderGroup(api, name, description))}`,
);

/** Renders the list of all operations, grouped by tag. */
export const renderApiPage = (api: ApiDocument, baseUrl: string): Page => ({
  title: 'Reference',
  path: '/docs/api',
  description: 'Every operation of the API, each with a command to copy.',
  main: html`<p class="meta"><a href="/docs">Documents</a></p>
<h1>Reference</h1>
<p class="lead">Every operation at <code>${baseUrl}</code>. Programs find the same in
<a href="/openapi.json">openapi.json</a>.</p>
<p>Every read also answers HEAD and OPTIONS. Send a key in <code>X-API-Key</code>; the commands here
take it from <code>STOA_KEY</code>. Errors are <a href="/docs/errors">problems with a code</a>.
“off” marks operations of a capability that is switched off here.</p>
<nav class="card" aria-labelledby="contents"><h2 id="contents">Contents</h2>
<p class="pager">${api.tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)}</p></nav>
${renderGroups(api)}`,
});
