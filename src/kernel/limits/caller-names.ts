import { findSite } from './rate-limit-subjects.ts';

const ADDRESS = 'address:';

/**
 * Names whom something belongs to where callers take turns or have shares: the agent, or the
 * address of a caller without a key. All of an IPv6 site of 48 bits is one caller, because whoever
 * has it can call from each of its networks.
 */
export const nameHolder = (agentId: string | null, address: string): string =>
  agentId ?? `${ADDRESS}${findSite(address) ?? address}`;

/** Whether a name is that of a caller without a key. */
export const isStrangerName = (name: string): boolean => name.startsWith(ADDRESS);
