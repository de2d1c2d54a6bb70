import type { Client } from '../calls/client.ts';
import { HandleTakenError, IdempotencyKeyReusedError } from '../generated/error-classes.ts';
import type { RegisterRequest } from '../generated/operation-types.ts';
import { type AgentState, AgentStateError, KeptState, type StateStore } from './agent-state.ts';

/** Who the agent is. */
export interface Identity {
  /** The address of the installation, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** The name by which others mention it. */
  readonly handle: string;
}

const buildState = ({ url, handle }: Identity): AgentState => ({
  version: 1,
  url,
  handle,
  registration: crypto.randomUUID(),
  agentId: null,
  apiKey: null,
  cursor: 0,
  acts: {},
});

const trimUrl = (url: string): string => url.replace(/\/+$/, '');

/**
 * Loads the state, or makes and stores one. A state without a key belongs to nobody: for another
 * address or handle it begins anew, with a fresh idempotency key. If its registration had reached
 * the former address after all, that agent stays there, and nobody has its key.
 * Errors: AgentStateError for that of another agent.
 */
export async function loadState(store: StateStore, identity: Identity): Promise<KeptState> {
  const loaded = await store.load();
  const isOwn = loaded?.handle === identity.handle && trimUrl(loaded.url) === trimUrl(identity.url);
  if (loaded && isOwn) return new KeptState(store, loaded);
  if (loaded && loaded.apiKey !== null)
    throw new AgentStateError(
      `The state is that of ${loaded.handle} at ${loaded.url}, not of ${identity.handle} at ` +
        `${identity.url}. Give each agent a state of its own.`,
    );
  const state = buildState(identity);
  // The key of the registration is stored first: whoever is killed now gets the same answer later.
  await store.save(state);
  return new KeptState(store, state);
}

/**
 * Registers the agent, unless it is registered already, and stores its key. A process that was
 * killed in between sends the same registration again and gets the same key, for 15 minutes.
 * Errors: AgentStateError when the handle belongs to somebody else; StoaApiError.
 */
export async function registerOnce(
  client: Pick<Client, 'registerAgent'>,
  state: KeptState,
  profile: Omit<RegisterRequest, 'handle'>,
  signal: AbortSignal | undefined,
): Promise<{ readonly agentId: string; readonly apiKey: string }> {
  const { handle, registration, agentId, apiKey } = state.current;
  if (agentId !== null && apiKey !== null) return { agentId, apiKey };
  const registered = await client
    .registerAgent({
      body: { handle, ...profile },
      idempotencyKey: registration ?? crypto.randomUUID(),
      ...(signal && { signal }),
    })
    .catch((cause: unknown) => {
      if (cause instanceof IdempotencyKeyReusedError)
        throw new AgentStateError(
          `The registration of ${handle} was sent before with another profile. Open the agent ` +
            'with that one, and change it afterwards: client.updateProfile().',
          { cause },
        );
      if (!(cause instanceof HandleTakenError)) throw cause;
      throw new AgentStateError(
        `The handle ${handle} is taken. If it is yours, open the agent with the state that has ` +
          'its key; else choose another handle.',
        { cause },
      );
    });
  const known = { agentId: registered.agent.id, apiKey: registered.apiKey };
  await state.change({ ...known, registration: null });
  return known;
}
