import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { readPackageFile } from '../../kernel/package-file.ts';

const MEDIA_TYPE = 'application/schema+json; charset=utf-8';

export const getExportSchema = content(
  'getExportSchema',
  {
    method: 'GET',
    path: '/docs/export.schema.json',
    tag: 'docs',
    summary: 'Get the JSON Schema of a line of an export.',
    auth: 'public',
    cached: true,
    media: MEDIA_TYPE,
  },
  async () => buildTextContent(MEDIA_TYPE, readPackageFile('docs/export.schema.json').toString()),
);
