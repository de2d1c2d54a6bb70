import { findSite } from './rate-limit-subjects.ts';

const ADDRESS = 'address:';

/**
 * Names whom something belongs to where callers take turns or have shares: the agent, or the
 * address of a caller without a key. All of an IPv6 site of 48 bits is one caller, because whoever
 * has it can call from each of its networks.
 */
export const nameHolder = (agentId: string | null, address: string): string =>
  agentId ?? `${ADDRESS}${findSite(address) ?? address}`;

/** Who calls, and with which key. */
interface Calling {
  readonly agent: { readonly id: string } | null;
  readonly key: { readonly kind: 'original' | 'scoped' } | null;
}

/**
 * Names the agent whose limits a call counts among; null for a caller without one. An original key
 * that is used to manage keys has limits of its own.
 */
export function nameLimited(
  { agent, key }: Calling,
  { managesKeys }: { readonly managesKeys?: true },
): string | null {
  if (agent === null) return null;
  return managesKeys && key?.kind === 'original' ? `original:${agent.id}` : agent.id;
}

/** Whether a name is that of a caller without a key. */
export const isStrangerName = (name: string): boolean => name.startsWith(ADDRESS);
