import {
  type Document,
  type DocumentName,
  findDocument,
} from '../../kernel/documents/documents.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderDetails } from '../../kernel/html/page-parts.ts';
import type { Installation } from '../../kernel/installation.ts';
import { memoize } from '../../kernel/memoize.ts';
import { documentGroups } from './document-groups.ts';
import { type Heading, renderDocument } from './render-document.ts';

/** With fewer headings a document needs no table of contents. */
const MIN_CONTENTS = 3;

const renderHeadingLinks = (contents: readonly Heading[]): Html =>
  html`<ul>${contents.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>`;

/**
 * Renders the text with its table of contents: beside it where there is room, and elsewhere above
 * it, to be opened. The stylesheet shows one of the two.
 */
const renderWithContents = (body: Html, contents: readonly Heading[]): Html => {
  const links = renderHeadingLinks(contents);
  return html`<div class="narrow-only">${renderDetails('Contents', links)}</div>
<div class="cols"><div>
${body}
</div>
<nav class="rail stay wide-only" aria-label="Contents"><h2>Contents</h2>
${links}</nav></div>`;
};

/** The names of all documents in the order in which they are read. */
const readingOrder = documentGroups.flatMap(({ documents }) => documents.map(({ name }) => name));

/** The documents before and after one. */
interface Neighbors {
  readonly previous: Document | undefined;
  readonly next: Document | undefined;
}

/** Renders links to the documents before and after this one. */
function renderNeighbors({ previous, next }: Neighbors): Html {
  const renderLink = (document: Document, rel: string, key: string, words: Html): Html =>
    html`<a rel="${rel}" accesskey="${key}" href="/docs/${document.name}">${words}</a> `;
  return html`<nav class="pager" aria-label="Documents">${
    previous && renderLink(previous, 'prev', 'p', html`← ${previous.title}`)
  }${next && renderLink(next, 'next', 'n', html`${next.title} →`)}</nav>`;
}

function findNeighbors(name: DocumentName): Neighbors {
  const place = readingOrder.indexOf(name);
  return {
    previous: findDocument(readingOrder[place - 1] ?? ''),
    next: findDocument(readingOrder[place + 1] ?? ''),
  };
}

const toPath = (document: Document | undefined): string | false =>
  document !== undefined && `/docs/${document.name}`;

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
  const neighbors = findNeighbors(name);
  const hasContents = contents.length >= MIN_CONTENTS;
  return {
    title,
    path: `/docs/${name}`,
    description: summary,
    wide: hasContents,
    previous: toPath(neighbors.previous),
    next: toPath(neighbors.next),
    head: html`<link rel="alternate" type="text/markdown" href="/docs/${name}.md">\n`,
    main: html`<p class="meta"><a href="/docs">Documents</a></p>
<h1>${title}</h1>
${hasContents ? renderWithContents(body, contents) : body}
${renderNeighbors(neighbors)}
<p class="quiet"><a href="/docs/${name}.md">The same as Markdown</a></p>`,
  };
}
