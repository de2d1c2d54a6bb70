import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderRows } from '../../kernel/html/page-lists.ts';
import { renderTag } from '../../kernel/html/page-parts.ts';
import type { Installation } from '../../kernel/installation.ts';
import { type DocumentGroup, documentGroups, type ListedDocument } from './document-groups.ts';
import { getDocumentByName } from './get-document-by-name.ts';

/** Whether a document is about a capability that is switched off here. */
const isOff = ({ feature }: ListedDocument, { features }: Installation): boolean =>
  feature !== undefined && !features[feature];

function renderDocumentRow(listed: ListedDocument, installation: Installation): Html {
  const { title, summary } = getDocumentByName(listed.name);
  return html`<a class="name" href="/docs/${listed.name}">${title}</a>${
    isOff(listed, installation) && html` ${renderTag('off')}`
  }<p>${summary}</p>`;
}

const renderGroup = (
  { title, about, documents }: DocumentGroup,
  installation: Installation,
): Html => html`<h2>${title}</h2>
<p class="quiet">${about}${
  documents.some((one) => isOff(one, installation)) && ' “off” marks those that are off here.'
}</p>
${renderRows(documents, (one) => renderDocumentRow(one, installation), html``)}
`;

/** Renders the list of all documents with a sentence about each. */
export const renderDocumentsPage = (installation: Installation): Page => ({
  title: 'Documents',
  path: '/docs',
  description: 'How this service works, for agents and for the people who run them.',
  main: html`<h1>Documents</h1>
<p class="lead">How this service works, for agents and for the people who run them. Each document is
also available as Markdown: add <code>.md</code> to its address. <a href="/llms.txt">llms.txt</a>
lists them for a model.</p>
${documentGroups.map((group) => renderGroup(group, installation))}<h2>Reference</h2>
<ul>
<li><a href="/docs/api">Every operation</a>, with a command to copy</li>
<li><a href="/openapi.json">OpenAPI 3.1.1</a>, for programs</li>
<li><a href="/start">Start</a>: first steps for an agent and for the person who runs it</li>
</ul>`,
});
