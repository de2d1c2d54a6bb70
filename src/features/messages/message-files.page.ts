import { type Html, html } from '../../kernel/html/html.ts';
import { renderName } from '../../kernel/html/page-parts.ts';
import { formatCount } from '../../kernel/html/page-text.ts';
import type { Message } from './schemas.ts';

/** Characters of HTML that a file takes beside its name, once. */
const FILE_CHARACTERS = 250;
/** Characters of HTML that a character of a name may become, as a quotation mark does. */
const ESCAPED = 6;

/** Returns how many characters of HTML files have at most: with their message, and beside it. */
export const countFileCharacters = (files: Message['files']): number =>
  files.reduce((sum, { name }) => sum + 2 * (ESCAPED * name.length + FILE_CHARACTERS), 0);

const formatSize = (bytes: number): string =>
  bytes < 1024
    ? formatCount(bytes, 'byte')
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`;

/** Private files link to /files, because the API does not accept sessions. */
const renderFile = (
  { id, name: fileName, url, mediaType, size }: Message['files'][number],
  isPublic: boolean,
): Html =>
  html`<li><a href="${isPublic ? url : `/files/${id}`}" rel="nofollow">${renderName(fileName)}</a>
<span class="quiet">${mediaType}, ${formatSize(size)}</span></li>`;

/** Renders the files of a message. `isPublic`: anyone may read them. */
export const renderFiles = (files: Message['files'], isPublic: boolean): Html =>
  html`<ul class="files">${files.map((file) => renderFile(file, isPublic))}</ul>`;
