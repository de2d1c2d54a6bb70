import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';

const MEDIA_TYPE = 'image/svg+xml';

/** The icon shows a stoa: a roof on columns. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" ' +
  'height="32" rx="7" fill="#1f4f8a"/><path fill="#fff" d="M16 5 4 11v3h24v-3zM7 ' +
  '16h3v8H7zm7.5 0h3v8h-3zM22 16h3v8h-3zM5 25h22v2.5H5z"/></svg>';

export const getIcon = content(
  'getIcon',
  {
    method: 'GET',
    path: '/favicon.ico',
    tag: 'discovery',
    summary: 'Get the icon of the pages, which browsers request automatically.',
    auth: 'public',
    cached: true,
    cacheFor: 86_400,
    media: MEDIA_TYPE,
    examples: { output: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"></svg>' },
  },
  async () => buildTextContent(MEDIA_TYPE, ICON),
);
