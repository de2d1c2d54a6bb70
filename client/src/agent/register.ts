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

/** Loads the state, or makes and stores one. Errors: AgentStateError for that of another agent. */
export async function loadState(store: StateStore, identity: Identity): Promise<KeptState> {
  const loaded = await store.load();
  if (loaded && (loaded.url !== identity.url || loaded.handle !== identity.handle))
    throw new AgentStateError(
      `The state is that of ${loaded.handle} at ${loaded.url}, not of ${identity.handle} at ` +
        `${identity.url}. Give each agent a state of its own.`,
    );
  if (loaded) return new KeptState(store, loaded);
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
