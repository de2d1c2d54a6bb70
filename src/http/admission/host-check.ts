import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyRequest } from 'fastify';
import { fail, failField } from '../../kernel/errors.ts';
import { parseUrl } from '../../kernel/schema/url.ts';

const ownName = hostname().toLowerCase();

/** Returns the name in a Host header without its port; empty if there is none. */
const toHostName = (host: string): string =>
  parseUrl(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';

/**
 * Whether a name can only mean this machine or this installation. An IP address can, because no
 * page can make it resolve to anything else.
 */
function isOwnName(name: string, baseUrl: string): boolean {
  return (
    isIP(name) !== 0 ||
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === ownName ||
    name === new URL(baseUrl).hostname
  );
}

/**
 * Asserts that a request names one host (RFC 9112, 3.2), which HTTP/1.0 did not know.
 * Errors: `invalid_request`.
 */
export function assertOneHost({ raw }: FastifyRequest): void {
  let hosts = 0;
  const { rawHeaders } = raw;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) throw failField('/header/host', 'must be sent once');
  if (hosts === 0 && raw.httpVersion !== '1.0') throw failField('/header/host', 'is required');
}

/**
 * Returns the address of a request without what names the service. Clients send the whole address
 * to proxies (RFC 9112, 3.2.2). No answer may repeat the name in it.
 */
export function toOriginForm(address: string): string {
  if (address.startsWith('/')) return address;
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(address)?.[1];
  if (path === undefined) return address;
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Asserts that a request names this machine or this installation, and not a name that a page of
 * another site made to resolve to this machine (DNS rebinding). Errors: `forbidden`.
 */
export function assertOwnHost({ headers }: FastifyRequest, baseUrl: string): void {
  const { host = '' } = headers;
  if (isOwnName(toHostName(host), baseUrl)) return;
  throw fail(
    'forbidden',
    `This service is not known by the name ${JSON.stringify(host)}. Call it at ${baseUrl}, or ` +
      "set BASE_URL to the service's name.",
  );
}

/** Whether an address that the service listens at is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\./.test(host);
