/** Characters that change what a terminal shows instead of being shown. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Writes each control character as an escape such as \u001b, line ends among them. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes control characters as escapes, but for the ends of lines. */
export const escapeLines = (text: string): string =>
  text.split('\n').map(escapeControls).join('\n');
