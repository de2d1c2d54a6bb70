import type { FastifyReply, FastifyRequest } from 'fastify';
import { isForPeople } from '../kernel/operation/any-operation.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import type { View } from '../kernel/html/page.ts';
import { SESSION_SECONDS, type Session } from '../kernel/callers/sessions.ts';
import { carriesCredential } from './response-headers.ts';

type Place = Pick<Environment, 'installation' | 'sessions'>;

const isSecure = ({ installation }: Place): boolean => installation.baseUrl.startsWith('https:');

/** With the prefix a browser takes it from this host alone, over TLS alone (RFC 6265bis). */
const nameIn = (place: Place): string => (isSecure(place) ? '__Host-stoa' : 'stoa_session');

const cookie = (place: Place, value: string, seconds: number): string =>
  `${nameIn(place)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(place) ? '; Secure' : ''}`;

/** The session of a request for what people read; null without one, and where a key in a header says who calls. Nothing else knows of sessions. */
export async function sessionOf(request: FastifyRequest, place: Place): Promise<Session | null> {
  const { headers, routeOptions } = request;
  const { operation } = routeOptions.config;
  if (
    headers.cookie === undefined ||
    !operation ||
    !isForPeople(operation) ||
    carriesCredential(request)
  )
    return null;
  const start = `${nameIn(place)}=`;
  const value = headers.cookie.split(/;\s*/).find((one) => one.startsWith(start));
  return value === undefined ? null : place.sessions.read(value.slice(start.length));
}

/** Signs the reader of this answer in. */
export async function beginSession(
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  key: string,
  visitor: Parameters<Environment['sessions']['begin']>[1],
): Promise<void> {
  const value = await place.sessions.begin(key, visitor);
  request.session = await place.sessions.read(value);
  reply.header('set-cookie', cookie(place, value, SESSION_SECONDS));
}

/** Signs the reader of this answer out. */
export function endSession(request: FastifyRequest, reply: FastifyReply, place: Place): void {
  request.session = null;
  reply.header('set-cookie', cookie(place, '', 0));
}

export const viewFor = (
  { session }: FastifyRequest,
  { installation }: Pick<Place, 'installation'>,
): View => ({
  installation,
  visitor: session?.visitor ?? null,
});
