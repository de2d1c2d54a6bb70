/** Control characters (C0, DEL, C1) and the bidi controls that can make a name read as another one. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A name or title as it is stored: Unicode NFC, without white space around it. */
export const normaliseName = (text: string): string => text.normalize('NFC').trim();

/** What is wrong with a name or title, or undefined. */
export const nameFault = (text: string): string | undefined => (HIDDEN.test(text) ? 'must not contain control or bidi control characters' : undefined);

/** What is wrong with a link that others will be shown, or undefined: only absolute https addresses without credentials. */
export function httpsFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') return 'must be an absolute https address';
  return url.username || url.password ? 'must not contain credentials' : undefined;
}

/** A time in any RFC 3339 form, in the form of the wire; undefined when it is none. */
export function normaliseTime(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
