import { fail } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderTable } from '../../kernel/html/page-lists.ts';
import { renderDetails, renderFacts } from '../../kernel/html/page-parts.ts';
import { capitalize, formatCount } from '../../kernel/html/page-text.ts';
import { memoize } from '../../kernel/memoize.ts';
import type { ApiDocument, ApiEntry } from '../../kernel/operation/api-document.ts';
import { listChapters } from './chapters.ts';

/** An operation with its method and path. */
export interface OperationPlace {
  readonly method: string;
  readonly path: string;
  readonly entry: ApiEntry;
}

type Places = readonly OperationPlace[];

/** Whether an operation is a page or a well-known address, which have a list of their own. */
export const isForPeople = ({ path }: OperationPlace): boolean => !path.startsWith('/api/');

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

/** Renders a method. Its color repeats what its name says; that of most, GET, needs no class. */
const renderMethod = (method: string): Html =>
  method === 'GET' ? html`<b>GET</b>` : html`<b class="${method.toLowerCase()}">${method}</b>`;

const renderOperations = (name: string, places: readonly OperationPlace[]): Html =>
  renderTable(
    name,
    ['Method', 'Path', 'Summary'],
    places.map((place) => [
      renderMethod(place.method),
      html`<a href="${buildHref(place)}">${place.path}</a>${
        place.entry['x-capability'] && html` <span class="tag">off</span>`
      }`,
      place.entry.summary,
    ]),
    'stack calls',
  );

/** Renders a group of operations, closed while all of it is switched off. */
function renderGroup({ name, description }: ApiDocument['tags'][number], places: Places): Html {
  const found = places.filter(({ entry }) => entry.tags[0] === name);
  const table = renderOperations(name, found);
  const isOff = found.every(({ entry }) => entry['x-capability']);
  const count = `${formatCount(found.length, 'operation')}, switched off here`;
  return html`<h3 id="${name}">${capitalize(name)}</h3>
<p>${description}</p>
${isOff ? renderDetails(count, table) : table}`;
}

const renderGroups = memoize((api: ApiDocument) => {
  const programs = listOperationPlaces(api).filter((place) => !isForPeople(place));
  return listChapters(api.tags.map(({ name }) => name)).map(({ title, tags }) => {
    const groups = tags.flatMap((tag) => api.tags.filter(({ name }) => name === tag));
    const used = groups.filter(({ name }) => programs.some(({ entry }) => entry.tags[0] === name));
    return (
      used.length > 0 &&
      html`<h2>${title}</h2>
${used.map((group) => renderGroup(group, programs))}`
    );
  });
});

const renderAddresses = memoize((api: ApiDocument) =>
  renderOperations('Pages and well-known addresses', listOperationPlaces(api).filter(isForPeople)),
);

const renderContents = memoize(
  (api: ApiDocument) =>
    html`<nav class="card" aria-labelledby="contents"><h2 id="contents">Contents</h2>
${renderFacts([
  ...listChapters(
    api.tags
      .map(({ name }) => name)
      .filter((name) =>
        listOperationPlaces(api).some(
          (place) => place.entry.tags[0] === name && !isForPeople(place),
        ),
      ),
  ).map(
    ({ title, tags }) =>
      [title, tags.map((name) => html`<a href="#${name}">${capitalize(name)}</a> `)] as const,
  ),
  ['For people', html`<a href="/docs/addresses">Pages and well-known addresses</a>`],
])}</nav>`,
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
${renderContents(api)}
${renderGroups(api)}`,
});

/** Renders the list of all pages and of the addresses that standards fix. */
export const renderAddressesPage = (api: ApiDocument): Page => ({
  title: 'Pages and well-known addresses',
  path: '/docs/addresses',
  description: 'Every page, and every address that a standard fixes.',
  main: html`<p class="meta"><a href="/docs/api">Reference</a></p>
<h1>Pages and well-known addresses</h1>
<p class="lead">Pages are for people; their forms post to addresses of their own. Programs use the
<a href="/docs/api">operations of the API</a>.</p>
${renderAddresses(api)}`,
});
