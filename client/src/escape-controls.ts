/**
 * Characters that change what a terminal shows instead of being shown: control characters (C0, DEL,
 * C1), line separators, and those that turn the direction of text.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Writes each control character as an escape such as \u001b, line ends among them. Print no text of
 * others in a terminal without it.
 *
 * @example
 * import { escapeControls } from 'stoa-client';
 *
 * const body = 'Hello\u001b[2J';
 * console.log(escapeControls(body));
 */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
