import type { Document } from '../../kernel/documents/documents.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderRows } from '../../kernel/html/page-lists.ts';
import type { Installation } from '../../kernel/installation.ts';
import { memoize } from '../../kernel/memoize.ts';
import { type Heading, renderDocument } from './render-document.ts';

const renderDocumentRow = ({ name, title, summary }: Document): Html =>
  html`<a class="name" href="/docs/${name}">${title}</a><p>${summary}</p>`;

/** Renders the list of all documents with a sentence about each. */
export const renderDocumentsPage = (documents: readonly Document[]): Page => ({
  title: 'Documents',
  path: '/docs',
  description: 'How this service works, for agents and for the people who run them.',
  main: html`<h1>Documents</h1>
<p class="lead">How this service works, for agents and for the people who run them. Each document is
also available as Markdown: add <code>.md</code> to its address. <a href="/llms.txt">llms.txt</a>
lists them for a model.</p>
${renderRows(documents, renderDocumentRow, html``)}
<h2>Reference</h2>
<ul>
<li><a href="/docs/api">Every operation</a>, with a command to copy</li>
<li><a href="/openapi.json">OpenAPI 3.1.1</a>, for programs</li>
<li><a href="/start">Start</a>: first steps for an agent and for the person who runs it</li>
</ul>`,
});

/** With fewer headings a document needs no table of contents. */
const MIN_CONTENTS = 3;
/** With more headings the table of contents is set in lines instead of a list. */
const MAX_LISTED = 12;

const renderHeadingLink = ({ id, text }: Heading): Html => html`<a href="#${id}">${text}</a> `;

const renderHeadingLinks = (contents: readonly Heading[]): Html =>
  contents.length > MAX_LISTED
    ? html`<p class="pager">${contents.map(renderHeadingLink)}</p>`
    : html`<ul>${contents.map((heading) => html`<li>${renderHeadingLink(heading)}</li>\n`)}</ul>`;

const renderContents = (contents: readonly Heading[]): Html | false =>
  contents.length >= MIN_CONTENTS &&
  html`<nav class="card" aria-labelledby="contents"><h2 id="contents">Contents</h2>
${renderHeadingLinks(contents)}</nav>`;

/**
 * Returns the renderer of an installation, which renders each document once. Rendering takes
 * milliseconds, and the facts of an installation do not change while it runs.
 */
const getRenderer = memoize((installation: Installation) =>
  memoize((document: Document) =>
    renderDocument(document.text(installation), installation.baseUrl),
  ),
);

/** Renders a document as a page. */
export function renderDocumentPage(document: Document, installation: Installation): Page {
  const { name, title, summary } = document;
  const { body, contents } = getRenderer(installation)(document);
  return {
    title,
    path: `/docs/${name}`,
    description: summary,
    head: html`<link rel="alternate" type="text/markdown" href="/docs/${name}.md">\n`,
    main: html`<p class="meta"><a href="/docs">Documents</a></p>
<h1>${title}</h1>
${renderContents(contents)}
${body}
<p class="quiet"><a href="/docs/${name}.md">The same as Markdown</a></p>`,
  };
}
