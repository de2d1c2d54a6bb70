import { type Html, html } from '../../kernel/html/html.ts';
import { renderTable } from '../../kernel/html/page-lists.ts';
import { renderCopyable } from '../../kernel/html/page-parts.ts';
import type { ApiDocument, ApiMedia } from '../../kernel/operation/api-document.ts';
import { renderText } from './render-document.ts';
import { describeType, listSchemaMembers } from './schema-members.ts';

/** Renders text as code. */
export const renderCode = (text: string): Html => html`<code>${text}</code>`;

const renderExample = (value: unknown): Html | false =>
  value !== undefined &&
  renderCopyable(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Renders a body or an answer: its media type, its members and an example. */
export function renderContent(
  api: ApiDocument,
  title: string,
  [media, { schema = {}, example: value }]: readonly [string, ApiMedia],
): Html {
  const members = listSchemaMembers(api, schema);
  const describeMember = (required: boolean, description: string): Html =>
    html`${title === 'Body' && !required && 'Optional. '}${description && renderText(description)}`;
  const meanings = members.map(({ required, description }) =>
    describeMember(required, description),
  );
  // A column without a word is left out.
  const isTold = meanings.some(({ text }) => text !== '');
  return html`<h2>${title}</h2>
<p>${renderCode(media)}${media.endsWith('json') && html`: ${describeType(api, schema)}`}</p>
${
  members.length > 0 &&
  renderTable(
    title,
    ['Member', 'Type', ...(isTold ? ['Meaning'] : [])],
    members.map(({ name, type }, index) => [
      renderCode(name),
      type,
      ...(isTold ? [meanings[index]] : []),
    ]),
    'stack labelled',
  )
}
${renderExample(value)}`;
}
