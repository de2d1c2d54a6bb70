import { escapeControls } from './escape-controls.ts';

/** JSON of an implementation that is not known: every member has to be looked at. */
// biome-ignore lint/suspicious/noExplicitAny: What an unknown implementation answers has no type.
export type Json = any;

/** A request, and what came back. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: Json;
}

const secretHeaders = ['x-api-key', 'x-admin-key', 'x-context-key', 'authorization'];
const secretText = /stoa_[A-Za-z0-9_-]{16,}/g;

/** Cuts a long text, hides credentials in it, and makes it one line. */
const shorten = (text: string, length = 1200): string => {
  const shown = escapeControls(text.replace(secretText, 'stoa_...'));
  return shown.length <= length ? shown : `${shown.slice(0, length)}... (${shown.length})`;
};

const listHeaders = (headers: Iterable<readonly [string, string]>): string[] =>
  [...headers].map(
    ([name, value]) => `    ${name}: ${secretHeaders.includes(name.toLowerCase()) ? '...' : value}`,
  );

/** Describes an exchange for a person, without its credentials. */
export const formatExchange = (exchange: Exchange): string =>
  [
    `  sent: ${exchange.method} ${exchange.url}`,
    ...listHeaders(Object.entries(exchange.requestHeaders)),
    ...(exchange.requestBody === null ? [] : [`    ${shorten(exchange.requestBody)}`]),
    `  received: ${exchange.status}`,
    ...listHeaders(exchange.headers),
    ...(exchange.text === '' ? [] : [`    ${shorten(exchange.text)}`]),
  ].join('\n');
