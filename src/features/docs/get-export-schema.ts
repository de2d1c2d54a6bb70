import { content } from '../../kernel/operation/content-operation.ts';
import { readPackageFile } from '../../kernel/package-file.ts';
import { textContent } from '../../kernel/operation/text-content.ts';

const MEDIA = 'application/schema+json; charset=utf-8';

export const getExportSchema = content(
  'getExportSchema',
  {
    method: 'GET',
    path: '/docs/export.schema.json',
    tag: 'docs',
    summary: 'The JSON Schema of a line of an export.',
    auth: 'public',
    cached: true,
    media: MEDIA,
  },
  async () => textContent(MEDIA, readPackageFile('docs/export.schema.json').toString()),
);
