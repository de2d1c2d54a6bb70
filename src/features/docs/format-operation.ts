import { type ErrorCode, errorTable } from '../../kernel/errors.ts';
import {
  type ApiDocument,
  type ApiEntry,
  type ApiMedia,
  type ApiParameter,
  type ApiResponse,
  resolveReference,
} from '../../kernel/operation/api-document.ts';
import { joinParagraphs } from '../../kernel/text/quote-markdown.rules.ts';
import type { OperationPlace } from './api.page.ts';
import { buildCurlCommand } from './curl-command.ts';
import { describeCaller, listErrors } from './operation.page.ts';
import { describeType, listSchemaMembers } from './schema-members.ts';

const formatItem = (name: string, type: string, isRequired: boolean, text = ''): string =>
  `* \`${name}\` (${type}${isRequired ? ', required' : ''})${text === '' ? '' : `: ${text}`}\n`;

function formatParameters(api: ApiDocument, { parameters }: ApiEntry): string {
  return parameters
    .map((one) => resolveReference<ApiParameter>(api, one))
    .map(({ name, in: place, required = false, schema, description }) =>
      formatItem(name, `${place}, ${describeType(api, schema)}`, required, description),
    )
    .join('');
}

const formatExample = (value: unknown): string | false =>
  value !== undefined &&
  `\`\`\`\n${typeof value === 'string' ? value.trimEnd() : JSON.stringify(value)}\n\`\`\``;

function formatContent(
  api: ApiDocument,
  title: string,
  found: readonly [string, ApiMedia] | undefined,
): string {
  if (!found) return '';
  const [media, { schema = {}, example }] = found;
  const isBody = title === 'Body';
  return joinParagraphs(
    `## ${title}`,
    `\`${media}\``,
    listSchemaMembers(api, schema)
      .map(({ name, type, required, description }) =>
        formatItem(name, type, isBody && required, description),
      )
      .join('') || false,
    formatExample(example),
  );
}

const formatErrors = (api: ApiDocument, entry: ApiEntry): string =>
  listErrors(api, entry)
    .map(([status, code]: readonly [string, ErrorCode]) => {
      const { title } = errorTable[code];
      return `* ${status} \`${code}\`: ${title}\n`;
    })
    .join('');

/** Formats an operation as Markdown: who may call it, a command, its input, answer and errors. */
export function formatOperation(
  api: ApiDocument,
  baseUrl: string,
  { method, path, entry }: OperationPlace,
): string {
  const answer = resolveReference<ApiResponse>(
    api,
    entry.responses['200'] ?? { description: '' },
  ).content;
  const tool = entry['x-tool'];
  const capability = entry['x-capability'];
  const parameters = formatParameters(api, entry);
  const errors = formatErrors(api, entry);
  return [
    joinParagraphs(
      `# ${entry.operationId}`,
      entry.summary,
      `\`${method} ${path}\`${tool ? `, as a tool \`${tool}\`` : ''}. ` +
        `Who may call it: ${describeCaller(entry)}.`,
      capability !== undefined &&
        `It belongs to \`${capability}\`, which is switched off here: calls fail with ` +
          '`capability_disabled`.',
      entry.description ?? false,
      `\`\`\`sh\n${buildCurlCommand(api, baseUrl, method, path, entry)}\n\`\`\``,
      parameters !== '' && `## Parameters\n\n${parameters}`,
    ),
    formatContent(api, 'Body', Object.entries(entry.requestBody?.content ?? {})[0]),
    formatContent(api, 'Answer', Object.entries(answer ?? {})[0]),
    joinParagraphs(errors !== '' && `## Errors\n\n${errors}`),
  ].join('');
}
