import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bookmark } from '../../kernel/content.ts';
import { isSecure } from './session-cookie.ts';

/** How long browsers keep a mark in a page that nobody reads any more. */
const BOOKMARK_SECONDS = 90 * 24 * 60 * 60;

/** Gives the reader's browser a mark to keep. */
export function setBookmark(
  reply: FastifyReply,
  { name, value, path }: Bookmark,
  context: Parameters<typeof isSecure>[0],
): void {
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure(context) } as const;
  const maxAge = BOOKMARK_SECONDS;
  reply.header('set-cookie', stringifySetCookie({ name, value, path, maxAge, ...options }));
}

/** Returns the mark that the browser has kept under a name. */
export const findBookmark = (
  { headers }: FastifyRequest,
  name: string | undefined,
): string | undefined =>
  name === undefined || headers.cookie === undefined
    ? undefined
    : parseCookie(headers.cookie)[name];
