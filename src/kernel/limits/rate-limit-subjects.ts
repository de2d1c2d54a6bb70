/** The size of a bucket. */
export interface Rate {
  /** The capacity of the bucket, and the number of tokens that it regains in `seconds`. */
  readonly tokens: number;
  readonly seconds: number;
  /** The capacity for callers on this machine, where it differs. */
  readonly loopbackTokens?: number;
}

/** Whose bucket a token is taken from. */
export interface RateSubject {
  /** The name of the bucket, such as "agent:" and an id. */
  readonly name: string;
  /** How many times as large as usual the bucket is. */
  readonly times?: number;
  readonly isLoopback?: boolean;
}

/** How many times as much as one of its 65,536 networks of 64 bits a site of 48 bits may call. */
const SITE_TIMES = 10;

/** The network of ::1 and the addresses of IPv4 that lead back to this machine. */
const LOOPBACK = /^(?:127\.|0:0:0:0::\/64$)/;

const IPV6_NETWORK = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/;

/**
 * How many times as much as one address all addresses together may call, so that an attack gains
 * little by coming from many of them.
 */
const EVERYONE_TIMES = 100;

/**
 * Returns the site of 48 bits that an IPv6 network belongs to, null for any other address. Whoever
 * has one can call from each of its networks.
 */
export function findSite(address: string): string | null {
  const [, site] = IPV6_NETWORK.exec(address) ?? [];
  return site === undefined ? null : `${site}::/48`;
}

/**
 * Lists whose tokens a call from an address takes: the address, as `toCallerAddress` writes it, for
 * an IPv6 network also the site that it belongs to, and those of everyone. Callers on this machine
 * share with nobody.
 */
export function listAddressSubjects(address: string): RateSubject[] {
  const own = { name: `address:${address}`, isLoopback: LOOPBACK.test(address) };
  if (own.isLoopback) return [own];
  const site = findSite(address);
  return [
    own,
    ...(site === null ? [] : [{ name: `site:${site}`, times: SITE_TIMES }]),
    { name: 'everyone', times: EVERYONE_TIMES },
  ];
}

/** Lists whose tokens a caller takes: the agent's or, without one, the address's. */
export const listCallerSubjects = (agentId: string | null, address: string): RateSubject[] =>
  agentId === null ? listAddressSubjects(address) : [{ name: `agent:${agentId}` }];

/** Returns the size of the bucket of a caller. */
export const computeRate = (
  { tokens, seconds, loopbackTokens = tokens }: Rate,
  { times = 1, isLoopback = false }: RateSubject,
): Rate => ({ tokens: (isLoopback ? loopbackTokens : tokens) * times, seconds });
