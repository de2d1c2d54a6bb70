/** The servers of an address with several hosts, and the one that is used now. */
export interface HostList {
  /** The address of the server that is used now, with one host. */
  readonly current: string;
  readonly size: number;
  /** Goes on to the next server, unless somebody has gone on from this address already. */
  leave(address: string): void;
  /**
   * The same with a server that does not answer at all: it is passed over the next few times,
   * because each attempt takes as long as a connection may take.
   */
  leaveSilent(address: string): void;
  /** Leaves a server that does not answer, and has everybody close their connections to it. */
  giveUp(address: string): void;
  /** Has a function called whenever a server is given up. */
  onGiveUp(close: () => void): void;
}

/** An address: scheme, login, hosts, and the rest. The hosts are no URL when there are several. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;
const TARGET = 'target_session_attrs';
/** How often a server that did not answer is passed over. */
const PASSES = 4;

/**
 * Reads an address with several hosts, as libpq takes it:
 * `postgres://user@one:5432,two:5432/stoa?target_session_attrs=read-write`. The service writes, so
 * whatever is in the list, it uses a server that takes writes. Returns null for an address with one
 * host, which the driver takes as it is.
 */
export function parseHostList(address: string): HostList | null {
  const [, login = '', hosts = '', rest = ''] = ADDRESS.exec(address) ?? [];
  const names = hosts.split(',').filter((name) => name !== '');
  if (names.length < 2 && !address.includes(`${TARGET}=`)) return null;
  if (names.length === 0) throw new Error('There is no host.');
  const addresses = names.map((name) => {
    const url = new URL(login + name + rest);
    url.searchParams.delete(TARGET);
    return url.href;
  });
  let index = 0;
  const closers: (() => void)[] = [];
  const passes = new Map<number, number>();
  const leave = (left: string) => {
    if (addresses[index] !== left) return;
    const next = (index + 1) % addresses.length;
    for (let tries = 0; tries < addresses.length; tries++) {
      index = (next + tries) % addresses.length;
      const passesLeft = passes.get(index) ?? 0;
      if (passesLeft === 0) return;
      passes.set(index, passesLeft - 1);
    }
    // All of them are silent: each has its turn.
    index = next;
  };
  return {
    get current() {
      return addresses[index] as string;
    },
    size: addresses.length,
    leave,
    leaveSilent(left) {
      if (addresses[index] === left) passes.set(index, PASSES);
      leave(left);
    },
    giveUp(left) {
      leave(left);
      for (const close of closers) close();
    },
    onGiveUp: (close) => void closers.push(close),
  };
}

/** Returns what is wrong with an address of one host or several, or null. */
export function findAddressFault(address: string): string | null {
  const attributes = new RegExp(`[?&]${TARGET}=([^&#]*)`).exec(address)?.[1];
  if (attributes !== undefined && !['read-write', 'primary'].includes(attributes))
    return `must have ${TARGET}=read-write: the service writes.`;
  try {
    if (!parseHostList(address)) void new URL(address);
    return null;
  } catch {
    return (
      'must have a host such as one.example:5432, or several with commas between them. For a ' +
      'socket write localhost, and ?host=/folder/of/the/socket at the end. A password has ' +
      'special characters encoded, such as %2F for a slash.'
    );
  }
}
