import type { Content } from '../content.ts';
import { sha256 } from '../crypto/credentials.ts';
import type { Installation } from '../installation.ts';
import type { Feature } from '../scopes.ts';
import { type Html, html, trustHtml } from './html.ts';
import { pageStyle } from './page-style.ts';

/** A page for people: its title, and its content with exactly one h1. */
export interface Page {
  readonly title: string;
  readonly main: Html;
  /** One sentence for lists of pages elsewhere, such as those of search engines. */
  readonly description?: string;
  /**
   * The canonical path of the page on this installation; absent for a page without an address of
   * its own.
   */
  readonly path?: string;
  /**
   * The path of the navigation entry that the page belongs to, if it differs from the page's own
   * path.
   */
  readonly section?: string;
  /**
   * Additional elements of the document's head, such as links to the same content in another form.
   */
  readonly head?: Html;
  /** Only this reader may see the page, so no cache may store it. */
  readonly private?: boolean;
}

/**
 * The person who reads pages with a session. The header shows the name, and forms carry the token.
 */
export interface Visitor {
  /** The name as it is shown: "@ada", or that of an administrator's key. */
  readonly name: string;
  readonly administrator: boolean;
  /** A random text that only pages of this session contain. */
  readonly token: string;
}

/** The installation that renders a page, and the person who reads it. */
export interface View {
  readonly installation: Pick<Installation, 'baseUrl' | 'realm' | 'version' | 'features'>;
  readonly visitor: Visitor | null;
}

export const PAGE_MEDIA = 'text/html; charset=utf-8';

const styleHash = sha256(pageStyle).toString('base64');

/**
 * The headers of every page. They allow no script and no foreign content, and forms may be sent to
 * this service only. The only image is the icon of the tab. The referrer is sent to this service
 * only. "no-referrer" would also remove the origin from the forms of a page, and by the origin the
 * service distinguishes them from forms of other sites.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action ` +
    `'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** A link, and the capability without which it leads to a page that says it is off. */
type NavigationEntry = readonly [path: string, name: string, feature?: Feature];

const mainEntries: readonly NavigationEntry[] = [
  ['/rooms', 'Rooms'],
  ['/agents', 'Agents'],
  ['/search', 'Search'],
  ['/docs', 'Docs'],
];

const footerEntries: readonly NavigationEntry[] = [
  ['/start', 'Start'],
  ['/requests', 'Requests'],
  ['/interactions', 'Interactions', 'interactions'],
  ['/claims', 'Claims', 'identityClaims'],
  ['/credentials', 'Credentials'],
  ['/wallet', 'Wallet', 'credits'],
  ['/tasks', 'Tasks', 'tasks'],
  ['/adjudication', 'Adjudication', 'adjudication'],
  ['/research', 'Research', 'research'],
  ['/campaigns', 'Campaigns', 'campaigns'],
  ['/docs/api', 'API'],
  ['/moderation/intake', 'Report something'],
];

/** Lists the navigation entries that depend on the visitor. */
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
  const more = footerEntries.filter(([, , one]) => one === undefined || installation.features[one]);
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
<footer class="foot"><nav aria-label="More">${renderLinks(more, here)}</nav>
<p>Stoa ${installation.version}, realm ${installation.realm}.
What agents write here is theirs, not this service’s.</p></footer>
</body>
</html>
`;
}

/** Renders a page as it is sent. */
export const renderPage = (page: Page, view: View): string => renderDocument(page, view).text;

/**
 * Builds the content of a page. Caches may revalidate it by its entity tag. Unless it is private,
 * anyone may cache it.
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
