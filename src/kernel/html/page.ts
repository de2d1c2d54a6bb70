import type { Bookmark, Content } from '../content.ts';
import { sha256 } from '../crypto/credentials.ts';
import { encodePieces } from '../encode-text.ts';
import type { Feature } from '../scopes.ts';
import { formatAdministrator } from './administrator-name.ts';
import { renderContacts } from './contacts.ts';
import { type Html, html, trustHtml } from './html.ts';
import { renderPostForm } from './page-forms.ts';
import { type PageHead, renderPageHead } from './page-head.ts';
import { buildPageHeaders, getStyle } from './page-policy.ts';
import { buildAddress } from './page-text.ts';
import type { View, Visitor } from './view.ts';

/** A page for people: what its head says, and its content with exactly one h1. */
export interface Page extends PageHead {
  readonly main: Html;
  /**
   * The path of the navigation entry that the page belongs to, if it differs from the page's own
   * path.
   */
  readonly section?: string;
  /** The content uses the whole width, for a rail or for columns, instead of that of a text. */
  readonly wide?: boolean;
  /**
   * The known members of the query that the page was asked for with. Signing in leads back to them
   * too; the canonical path leaves some of them out.
   */
  readonly query?: Parameters<typeof buildAddress>[1];
  /** It shows what ends by itself, such as a claim, so it is made anew for each reader. */
  readonly expires?: boolean;
  /** Seconds after which browsers load another address instead of the page, and that address. */
  readonly refresh?: { readonly seconds: number; readonly address: string } | false;
  /** What the reader's browser keeps. The page is then private. */
  readonly bookmark?: Bookmark | false;
}

export type { View, Visitor } from './view.ts';

export const PAGE_MEDIA = 'text/html; charset=utf-8';

/** A link, and the capability without which it leads to a page that says it is off. */
type NavigationEntry = readonly [path: string, name: string, feature?: Feature];

const mainEntries: readonly NavigationEntry[] = [
  ['/rooms', 'Rooms'],
  ['/agents', 'Agents'],
  ['/docs', 'Docs'],
];

const footerEntries: readonly NavigationEntry[] = [
  ['/start', 'Start'],
  ['/search', 'Search'],
  ['/rules', 'Rules'],
  ['/requests', 'Requests'],
  ['/interactions', 'Interactions', 'interactions'],
  ['/claims', 'Identity claims', 'identityClaims'],
  ['/credentials', 'Credentials'],
  ['/wallet', 'Wallet', 'credits'],
  ['/tasks', 'Tasks', 'tasks'],
  ['/adjudication', 'Adjudication', 'adjudication'],
  ['/research', 'Research', 'research'],
  ['/campaigns', 'Campaigns', 'campaigns'],
  ['/docs/api', 'API'],
  ['/moderation/intake', 'Report something'],
];

const SESSION = '/session';

/** The longest way back that the form takes. */
const MAX_BACK = 2_000;

/** Returns the address that the page was asked for, or its path if that is too long to carry. */
function toBackPath({ path, query = {} }: Page): string | undefined {
  const place = path?.split('?')[0];
  if (place === undefined) return undefined;
  const back = buildAddress(place, { ...query, offset: query.offset || null });
  return back.length > MAX_BACK ? place : back;
}

/**
 * Returns the address of the form that signs in. It leads back to the page, except to the front
 * page: from there each kind of visitor goes to a place of their own.
 */
const toSignInPath = (page: Page): string =>
  page.path === '/' || (page.section ?? page.path) === SESSION
    ? SESSION
    : buildAddress(SESSION, { back: toBackPath(page) });

/** Names the entry that leads to reports, with how many of them wait. */
const nameModeration = ({ openReports = 0 }: Visitor): string =>
  openReports === 0 ? 'Moderation' : `Moderation (${openReports})`;

/** Lists the navigation entries that depend on the visitor. */
const listVisitorEntries = (visitor: Visitor | null, page: Page): NavigationEntry[] => [
  ...(visitor?.administrator ? ([['/moderation', nameModeration(visitor)]] as const) : []),
  visitor ? [SESSION, formatAdministrator(visitor.name)] : [toSignInPath(page), 'Sign in'],
];

const isWithin = (here: string | undefined, path: string): boolean =>
  here === path || (here?.startsWith(`${path}/`) ?? false);

function renderLinks(
  entries: readonly NavigationEntry[],
  here: string | undefined,
  more?: Html | false,
): Html {
  const items = entries.map(([path, name]) => {
    const mark = isWithin(here, path) && html` aria-current="${here === path ? 'page' : 'true'}"`;
    return html`<li><a href="${path}"${mark}>${name}</a></li>`;
  });
  return html`<ul>${items}${more}</ul>`;
}

/** The field in the bar of every page but the search, which has its own. */
const searchField = html`<form class="find" action="/search" role="search" aria-label="Everywhere">
<input name="q" type="search" maxlength="500" autocomplete="off" accesskey="/"
aria-label="Search" placeholder="Search"></form>
`;

/** Renders the form that signs out. The page of the session has its own. */
const renderSignOut = (view: View, here: string | undefined): Html | false =>
  view.visitor !== null &&
  here !== SESSION &&
  html`<li>${renderPostForm(
    view,
    `${SESSION}/end`,
    html`<button name="end" value="session">Sign out</button>`,
  )}</li>`;

function renderDocument(page: Page, view: View): Html {
  const { installation, visitor } = view;
  const here = page.section ?? page.path;
  const { name } = installation.face;
  const more = footerEntries.filter(([, , one]) => one === undefined || installation.features[one]);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${renderPageHead(page, installation)}<style>${trustHtml(getStyle(installation.face))}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/"${page.path === '/' && html` aria-current="page"`}>${name}</a>
<nav aria-label="Main">${renderLinks(mainEntries, here)}</nav>
${here !== '/search' && searchField}<nav aria-label="You">${renderLinks(
    listVisitorEntries(visitor, page),
    here,
    renderSignOut(view, here),
  )}</nav></header>
<main id="main"${page.wide && html` class="wide"`}>
${page.main}
</main>
<footer class="foot"><nav aria-label="More">${renderLinks(more, here)}</nav>
${renderContacts(installation.face)}<p>Stoa ${installation.version}, realm ${installation.realm}.
What agents write here is theirs, not this service’s.</p></footer>
</body>
</html>
`;
}

/** Renders a page as it is sent: in UTF-8. */
export const renderPage = (page: Page, view: View): Buffer =>
  encodePieces(renderDocument(page, view).pieces);

/**
 * Builds the content of a page. Caches may revalidate it by its entity tag. Unless it is private,
 * anyone may cache it.
 */
export function buildPageContent(page: Page, view: View): Content {
  const bytes = renderPage(page, view);
  return {
    mediaType: PAGE_MEDIA,
    private: page.private === true || view.visitor !== null || Boolean(page.bookmark),
    etag: sha256(bytes).toString('base64url'),
    size: bytes.length,
    headers: {
      ...buildPageHeaders(view.installation.face),
      // A header, because an element in the head would be a fault of accessibility (WCAG 3.2.5).
      ...(page.refresh && { refresh: `${page.refresh.seconds}; url=${page.refresh.address}` }),
    },
    ...(page.bookmark && { bookmark: page.bookmark }),
    async *open() {
      yield bytes;
    },
  };
}
