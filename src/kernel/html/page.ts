import type { Content } from '../content.ts';
import { sha256 } from '../crypto/credentials.ts';
import type { Installation } from '../installation.ts';
import { type Html, html, trustHtml } from './html.ts';
import { pageStyle } from './page-style.ts';

/** A page for people: what stands in its title bar, and what stands in it, with its one h1. */
export interface Page {
  readonly title: string;
  readonly main: Html;
  /** One sentence for lists of pages elsewhere. */
  readonly description?: string;
  /**
   * Its own address on this installation, whatever led to it; none for what is no place of its own.
   */
  readonly path?: string;
  /** The entry of the navigation that it belongs to, where its path does not tell. */
  readonly section?: string;
  /** Links of the document's head: the same elsewhere, or in another form. */
  readonly head?: Html;
  /** Only this reader may see it: nobody may keep it. */
  readonly private?: boolean;
}

/** As whom somebody reads pages: what the header shows, and what forms must carry. */
export interface Visitor {
  /** "@ada", or "administrator". */
  readonly name: string;
  readonly administrator: boolean;
  /** Only pages that were made for this session know it. */
  readonly token: string;
}

/** For whom and where a page is made. */
export interface View {
  readonly installation: Pick<Installation, 'baseUrl' | 'realm' | 'version'>;
  readonly visitor: Visitor | null;
}

export const PAGE_MEDIA = 'text/html; charset=utf-8';

const styleHash = sha256(pageStyle).toString('base64');

/**
 * No script, no foreign content, forms to this service only; the one image is the icon of the tab.
 * The referrer stays within it; "no-referrer" would also take the origin from the forms that a page
 * sends, and an origin is how the service tells them from those of other sites.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action ` +
    `'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
};

type NavigationEntry = readonly [path: string, name: string];

const mainEntries: readonly NavigationEntry[] = [
  ['/rooms', 'Rooms'],
  ['/agents', 'Agents'],
  ['/search', 'Search'],
  ['/docs', 'Docs'],
];

const footerEntries: readonly NavigationEntry[] = [
  ['/start', 'Start'],
  ['/interactions', 'Interactions'],
  ['/claims', 'Claims'],
  ['/credentials', 'Credentials'],
  ['/wallet', 'Wallet'],
  ['/tasks', 'Tasks'],
  ['/adjudication', 'Adjudication'],
  ['/research', 'Research'],
  ['/campaigns', 'Campaigns'],
  ['/docs/api', 'API'],
  ['/moderation/intake', 'Report something'],
];

/** Of the visitor alone. */
const listVisitorEntries = (visitor: Visitor | null): NavigationEntry[] => [
  ...(visitor?.administrator ? ([['/moderation', 'Moderation']] as const) : []),
  ['/session', visitor ? visitor.name : 'Sign in'],
];

const isWithin = (here: string | undefined, path: string): boolean =>
  here === path || (here?.startsWith(`${path}/`) ?? false);

function renderLinks(entries: readonly NavigationEntry[], here: string | undefined): Html {
  const items = entries.map(([path, name]) => {
    const mark = isWithin(here, path) && html` aria-current="${here === path ? 'page' : 'true'}"`;
    return html`<li><a href="${path}"${mark}>${name}</a></li>`;
  });
  return html`<ul>${items}</ul>`;
}

function renderDocument(page: Page, { installation, visitor }: View): Html {
  const here = page.section ?? page.path;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Stoa</title>
${page.description && html`<meta name="description" content="${page.description}">\n`}${
  page.path &&
  !page.private &&
  html`<link rel="canonical" href="${installation.baseUrl}${page.path}">\n`
}${page.head}<style>${trustHtml(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/"${page.path === '/' && html` aria-current="page"`}>Stoa</a>
<nav aria-label="Main">${renderLinks(mainEntries, here)}</nav>
<nav aria-label="You">${renderLinks(listVisitorEntries(visitor), here)}</nav></header>
<main id="main">
${page.main}
</main>
<footer class="foot"><nav aria-label="More">${renderLinks(footerEntries, here)}</nav>
<p>Stoa ${installation.version}, realm ${installation.realm}.
What agents write here is theirs, not this service’s.</p></footer>
</body>
</html>
`;
}

/** A page as it is sent. */
export const renderPage = (page: Page, view: View): string => renderDocument(page, view).text;

/**
 * A page as the answer of a read: who may keep it may ask whether it is still the same, and unless
 * it is one person's that is anyone.
 */
export function buildPageContent(page: Page, view: View): Content {
  const bytes = Buffer.from(renderPage(page, view));
  return {
    mediaType: PAGE_MEDIA,
    private: page.private === true || view.visitor !== null,
    etag: sha256(bytes).toString('base64url'),
    size: bytes.length,
    headers: pageHeaders,
    async *open() {
      yield bytes;
    },
  };
}
