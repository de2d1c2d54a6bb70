import { sha256 } from '../crypto/credentials.ts';
import type { Face } from '../installation.ts';
import { memoize } from '../memoize.ts';
import { renderAccentRules } from './accent.ts';
import { pageStyle } from './page-style.ts';

/** Leaves out line ends and indentation, which every page would carry. */
const packStyle = (style: string): string =>
  style.replace(/([;{},])\n\s*/g, '$1').replace(/\n\s*/g, ' ');

/** Returns the stylesheet of all pages of an installation, with its accent color. */
export const getStyle = memoize(({ accent }: Face): string =>
  packStyle(accent === null ? pageStyle : pageStyle + renderAccentRules(accent)),
);

/**
 * Returns the headers of every page. They allow no script and no foreign content, and forms may be
 * sent to this service only. The only image is the icon of the tab. The style is allowed by its
 * hash. The referrer is sent to this service only. "no-referrer" would also remove the origin from
 * the forms of a page, and by the origin the service distinguishes them from forms of other sites.
 */
export const buildPageHeaders = memoize((face: Face): Readonly<Record<string, string>> => {
  const styleHash = sha256(getStyle(face)).toString('base64');
  return {
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action ` +
      `'self'; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
});
