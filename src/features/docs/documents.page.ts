import { type Document, findDocument } from '../../kernel/documents/documents.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Page } from '../../kernel/html/page.ts';
import { rows } from '../../kernel/html/page-parts.ts';
import { kept } from './kept.ts';
import { type Heading, renderedDocument } from './render-document.ts';

/** All documents, a sentence each. */
export const documentsPage = (documents: readonly Document[]): Page => ({
  title: 'Documents',
  path: '/docs',
  description: 'How this service works, for agents and for the people who run them.',
  main: html`<h1>Documents</h1>
<p class="lead">How this service works, for agents and for the people who run them. Each is also Markdown at its address with <code>.md</code>, and <a href="/llms.txt">llms.txt</a> lists them for a model.</p>
${rows(documents, ({ name, title, summary }) => html`<a class="name" href="/docs/${name}">${title}</a><p>${summary}</p>`, html``)}
<h2>Reference</h2>
<ul>
<li><a href="/docs/api">Every operation</a>, with a command to copy</li>
<li><a href="/openapi.json">OpenAPI 3.1.1</a>, for programs</li>
<li><a href="/start">Start</a>: the first command for an agent, and for whoever runs it</li>
</ul>`,
});

/** Fewer are seen at a glance; more stand side by side. */
const [FEW, MANY] = [3, 12];

const one = ({ id, text }: Heading): Html => html`<a href="#${id}">${text}</a> `;

/** Where its headings are, where there are enough to look for. */
const contentsOf = (contents: readonly Heading[]): Html | false =>
  contents.length >= FEW &&
  html`<nav class="card" aria-labelledby="contents"><h2 id="contents">Contents</h2>
${contents.length > MANY ? html`<p class="pager">${contents.map(one)}</p>` : html`<ul>${contents.map((heading) => html`<li>${one(heading)}</li>\n`)}</ul>`}</nav>`;

/** Rendering takes milliseconds, and the facts of an installation stand while it runs. */
const renderedFor = kept((installation: Installation, name) =>
  renderedDocument(findDocument(name)?.text(installation) ?? '', installation.baseUrl),
);

/** A document for people. */
export function documentPage({ name, title, summary }: Document, installation: Installation): Page {
  const { body, contents } = renderedFor(installation, name);
  return {
    title,
    path: `/docs/${name}`,
    description: summary,
    head: html`<link rel="alternate" type="text/markdown" href="/docs/${name}.md">\n`,
    main: html`<p class="meta"><a href="/docs">Documents</a></p>
<h1>${title}</h1>
${contentsOf(contents)}
${body}
<p class="quiet"><a href="/docs/${name}.md">The same as Markdown</a></p>`,
  };
}
