import { sha256 } from './credentials.ts';
import { type Html, html, trusted } from './html.ts';
import type { Content } from './operation.ts';
import { pageStyle } from './page-style.ts';

/** A page for people: what stands in its title bar, and what stands in it, with its one h1. */
export interface Page {
  readonly title: string;
  readonly main: Html;
}

export const PAGE_MEDIA = 'text/html; charset=utf-8';

const styleHash = sha256(pageStyle).toString('base64');

/**
 * No script, no foreign content, forms to this service only. The referrer stays within it; "no-referrer" would also take the origin
 * from the forms that a page sends, and an origin is how the service tells them from those of other sites.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
};

const shell = ({ title, main }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Stoa</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;

/** A page as it is sent. */
export const pageText = (page: Page): string => shell(page).text;

/** A page as the answer of a read: who may keep it may ask whether it is still the same, and unless it is private that is anyone. */
export function pageContent(page: Page, { private: hidden } = { private: false }): Content {
  const bytes = Buffer.from(pageText(page));
  return {
    mediaType: PAGE_MEDIA,
    private: hidden,
    etag: sha256(bytes).toString('base64url'),
    size: bytes.length,
    headers: pageHeaders,
    async *open() {
      yield bytes;
    },
  };
}
