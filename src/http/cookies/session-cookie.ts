import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticateAdministrator } from '../../kernel/callers/administrators.ts';
import { type PageSession, SESSION_SECONDS } from '../../kernel/callers/sessions.ts';
import { StoaError } from '../../kernel/errors.ts';
import type { View } from '../../kernel/html/page.ts';
import { isForPeople } from '../../kernel/operation/any-operation.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { carriesCredential } from '../response-headers.ts';

type CookieContext = Pick<
  Environment,
  'installation' | 'sessions' | 'countOpenReports' | 'db' | 'administrators'
>;

/** Whether browsers reach the service over TLS only. */
export const isSecure = ({ installation }: Pick<CookieContext, 'installation'>): boolean =>
  installation.baseUrl.startsWith('https:');

/** With the prefix, browsers accept the cookie from this host only, over TLS only (RFC 6265bis). */
const getCookieName = (context: CookieContext): string =>
  isSecure(context) ? '__Host-stoa' : 'stoa_session';

const buildCookie = (context: CookieContext, value: string, seconds: number): string =>
  stringifySetCookie({
    name: getCookieName(context),
    value,
    path: '/',
    maxAge: seconds,
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(context),
  });

/** Whether a key is an administrator's now. Errors: DatabaseUnavailable. */
const isAdministratorKey = ({ db, administrators }: CookieContext, key: string) =>
  authenticateAdministrator(db, key, administrators).then(
    () => true,
    (error: unknown) => {
      if (error instanceof StoaError) return false;
      throw error;
    },
  );

/**
 * Reads the session of a cookie, and for an administrator how many reports are open, which the bar
 * of every page shows. It says so as long as the key works. Errors: DatabaseUnavailable.
 */
async function readSession(
  context: CookieContext,
  value: string,
  isUse = true,
): Promise<PageSession | null> {
  const session = await context.sessions.read(value, isUse);
  if (!session?.visitor.administrator) return session;
  const [isKnown, openReports] = await Promise.all([
    isAdministratorKey(context, session.key),
    context.countOpenReports(),
  ]);
  return isKnown ? { ...session, visitor: { ...session.visitor, openReports } } : session;
}

/** Whether a page may have been asked for by itself: one that is watched loads itself again. */
const isWatched = ({ query }: FastifyRequest): boolean =>
  (query as { readonly watch?: string }).watch !== undefined;

/**
 * Returns the session of a request for a page or file that people read. It is null without a
 * cookie, and also when a key in a header says who calls. No other route knows of sessions.
 * Errors: DatabaseUnavailable.
 */
export async function findSession(
  request: FastifyRequest,
  context: CookieContext,
): Promise<PageSession | null> {
  const { headers, routeOptions } = request;
  const { operation, forPeople = operation && isForPeople(operation) } = routeOptions.config;
  if (headers.cookie === undefined || !forPeople || carriesCredential(request)) return null;
  const value = parseCookie(headers.cookie)[getCookieName(context)];
  return value === undefined ? null : readSession(context, value, !isWatched(request));
}

/** Signs in the reader of this answer with a key that was just verified. */
export async function beginSession(
  request: FastifyRequest,
  reply: FastifyReply,
  context: CookieContext,
  key: string,
  visitor: Parameters<Environment['sessions']['begin']>[1],
): Promise<void> {
  if (request.session) await context.sessions.end(request.session);
  const value = await context.sessions.begin(key, visitor);
  request.session = await readSession(context, value);
  reply.header('set-cookie', buildCookie(context, value, SESSION_SECONDS));
}

/** Signs out the reader of this answer: no copy of the cookie works any more. */
export async function endSession(
  request: FastifyRequest,
  reply: FastifyReply,
  context: CookieContext,
): Promise<void> {
  if (request.session) await context.sessions.end(request.session);
  deleteCookie(request, reply, context);
}

/** Makes the browser forget a session, such as one whose key no longer works. */
export function deleteCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  context: CookieContext,
): void {
  request.session = null;
  reply.header('set-cookie', buildCookie(context, '', 0));
}

/** Returns what pages need to know of their installation and their reader. */
export const buildView = (
  { session }: FastifyRequest,
  { installation }: Pick<CookieContext, 'installation'>,
): View => ({
  installation,
  visitor: session?.visitor ?? null,
});
