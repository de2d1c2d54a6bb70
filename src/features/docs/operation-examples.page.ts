import { type Html, html } from '../../kernel/html/html.ts';
import { renderCommand, renderDetails } from '../../kernel/html/page-parts.ts';
import {
  type ApiDocument,
  type ApiParameter,
  resolveReference,
} from '../../kernel/operation/api-document.ts';
import type { OperationPlace } from './api.page.ts';
import { buildCurlCommand } from './curl-command.ts';
import { listPlaceholders } from './placeholders.ts';
import { buildPythonExample } from './python-example.ts';
import { buildTypescriptExample } from './typescript-example.ts';

/** Says what the variables of ids stand for. */
function renderPlaceholders(api: ApiDocument, { path, entry }: OperationPlace): Html | false {
  const parameters = entry.parameters.map((one) => resolveReference<ApiParameter>(api, one));
  const placeholders = listPlaceholders(path, parameters);
  return (
    placeholders.length > 0 &&
    html`<p class="quiet">${placeholders.map(({ variable, thing }) => {
      const owner = thing.replace(/ id$/, '');
      return html`<code>${`$${variable}`}</code> stands for the id of the ${owner}. `;
    })}</p>
`
  );
}

/** Renders a command that makes the call, and the same with the clients, where they have it. */
export function renderExamples(api: ApiDocument, baseUrl: string, place: OperationPlace): Html {
  const { method, path, entry } = place;
  const examples = [
    ['TypeScript', buildTypescriptExample(api, baseUrl, path, entry)],
    ['Python', buildPythonExample(api, baseUrl, path, entry)],
  ] as const;
  return html`${renderCommand(buildCurlCommand(api, baseUrl, method, path, entry))}
${renderPlaceholders(api, place)}${examples.map(
  ([language, text]) => text !== null && renderDetails(language, renderCommand(text)),
)}`;
}
