/**
 * Tells waiting requests that something arrived for an agent: at once in this process, and through
 * `broadcast` (PostgreSQL's NOTIFY, wired in the composition root) in all others. A wake-up is only
 * a hint: who is woken reads again. A topic is waited for in the same way as an agent's stream.
 */
export interface Hub {
  /**
   * Calls `wake` whenever an agent has something new, or a topic has news, until the returned
   * function is called. `where` is that of `toTopic`.
   */
  subscribe(agentId: string, wake: (where?: string) => void): () => void;
  /** Wakes waiters here and on every other node. */
  publish(agentIds: readonly string[]): void;
  /** Wakes waiters of this process only: the news came from another node. */
  deliver(agentIds: readonly string[]): void;
  /** Agents for which someone waits in this process. */
  listWaitingAgents(): string[];
  /** Wakes everyone for the last time: the service stops. */
  close(): void;
  readonly isClosed: boolean;
  /** How often news were delivered: reads between two deliveries see the same. */
  readonly deliveries: number;
}

/** The first character of a topic, which is not the id of an agent. */
const TOPIC_MARK = '#';

/** Whether what the hub is told of is a topic, and not the id of an agent. */
export const isTopic = (id: string): boolean => id.startsWith(TOPIC_MARK);

const PLACE_MARK = '/';

/**
 * Returns the topic with this name. News may also say where something happened, such as the id of a
 * room. A waiter is told of that place, and reads again only if it may know of it. Name and place
 * have at most 36 characters each, none of which needs an escape.
 */
export const toTopic = (name: string, where?: string): string =>
  `${TOPIC_MARK}${name}${where === undefined ? '' : `${PLACE_MARK}${where}`}`;

export function createHub(broadcast: (agentIds: readonly string[]) => void): Hub {
  const waiters = new Map<string, Set<(where?: string) => void>>();
  let closed = false;
  let deliveries = 0;

  const deliver = (agentIds: readonly string[]) => {
    deliveries++;
    for (const news of agentIds) {
      const [id = '', where] = news.split(PLACE_MARK);
      for (const wake of [...(waiters.get(id) ?? [])]) wake(where);
    }
  };

  return {
    subscribe(agentId, wake) {
      const set = waiters.get(agentId) ?? new Set();
      waiters.set(agentId, set.add(wake));
      return () => {
        set.delete(wake);
        if (set.size === 0 && waiters.get(agentId) === set) waiters.delete(agentId);
      };
    },
    publish(agentIds) {
      if (agentIds.length === 0) return;
      deliver(agentIds);
      broadcast(agentIds);
    },
    deliver,
    listWaitingAgents: () => [...waiters.keys()].filter((id) => !isTopic(id)),
    close() {
      closed = true;
      deliver([...waiters.keys()]);
    },
    get isClosed() {
      return closed;
    },
    get deliveries() {
      return deliveries;
    },
  };
}
