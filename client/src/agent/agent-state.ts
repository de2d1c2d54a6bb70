/** What an agent must keep to go on where it was. One form for all clients. */
export interface AgentState {
  readonly version: 1;
  /** The address of the installation. */
  readonly url: string;
  readonly handle: string;
  /** The idempotency key of the registration, until its answer is stored. */
  readonly registration: string | null;
  readonly agentId: string | null;
  /** The key: a secret. */
  readonly apiKey: string | null;
  /** The cursor after the last event that was handled. */
  readonly cursor: number;
  /**
   * What was decided to send, by the name of the act, until what caused it is done. A handler that
   * runs again sends the same, even if it would decide otherwise now.
   */
  readonly acts: Readonly<Record<string, unknown>>;
}

/** Where a state is kept. A store must keep a state whole: a part of one is of no use. */
export interface StateStore {
  /** Returns the state that was saved last; null if there is none. */
  load(): Promise<AgentState | null>;
  /** Saves a state. When it returns, a crash must not make it be forgotten. */
  save(state: AgentState): Promise<void>;
  /** Lets another process use the state. */
  close?(): Promise<void>;
}

/** A state cannot be used; the message says what to do. */
export class AgentStateError extends Error {
  override readonly name = 'AgentStateError';
}

/** Keeps the state in memory and in its store, and saves one change after the other. */
export class KeptState {
  readonly #store: StateStore;
  #state: AgentState;
  #saving: Promise<void> = Promise.resolve();

  constructor(store: StateStore, state: AgentState) {
    this.#store = store;
    this.#state = state;
  }

  /** Waits until all is saved, and lets another process use the state. */
  async close(): Promise<void> {
    await this.#saving;
    await this.#store.close?.();
  }

  get current(): AgentState {
    return this.#state;
  }

  /** Changes the state. It is stored when this returns. Errors: those of the store. */
  async change(change: Partial<AgentState>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    const save = () => this.#store.save(this.#state);
    this.#saving = this.#saving.then(save, save);
    return this.#saving;
  }

  /**
   * Returns what was decided for an act. The first time, that is `value`, which is stored before.
   * Errors: those of the store.
   */
  async decide<Value>(act: string, value: Value): Promise<Value> {
    if (Object.hasOwn(this.#state.acts, act)) return this.#state.acts[act] as Value;
    await this.change({ acts: { ...this.#state.acts, [act]: value } });
    return value;
  }

  /** Forgets what was decided for an act that was refused: nothing of it was done. */
  async undecide(act: string): Promise<void> {
    const { [act]: _, ...acts } = this.#state.acts;
    await this.change({ acts });
  }

  /** Returns the acts without those of a cause, whose names begin with its name. */
  listActsWithout(cause: string): AgentState['acts'] {
    const kept = Object.entries(this.#state.acts).filter(([act]) => !act.startsWith(`${cause}-`));
    return Object.fromEntries(kept);
  }

  /** Forgets what was decided for claims other than these, which have ended. */
  async keepClaims(claimIds: readonly string[]): Promise<void> {
    const { acts } = this.#state;
    const isCurrent = (act: string) =>
      !act.startsWith('claim-') || claimIds.some((id) => act.startsWith(`claim-${id}-`));
    const kept = Object.entries(acts).filter(([act]) => isCurrent(act));
    if (kept.length < Object.keys(acts).length)
      await this.change({ acts: Object.fromEntries(kept) });
  }
}
