/** What an agent has, in as few figures as possible. */
export interface FundingAccount {
  trial: number;
  earned: number;
  reserved: number;
}

interface ModelOffer {
  readonly from: number;
  readonly amount: number;
  open: boolean;
}

interface ModelTask {
  readonly owner: number;
  readonly unit: 'trial' | 'earned';
  readonly reward: number;
  /** Slots that are neither paid nor returned. */
  left: number;
}

/**
 * A model of credits in a few lines that shares no code with the service. It records which commands
 * succeeded, in any possible order, and computes what everybody then has.
 */
export class LedgerModel {
  readonly accounts: FundingAccount[];
  readonly offers = new Map<string, ModelOffer>();
  readonly tasks = new Map<string, ModelTask>();
  readonly enrollments = new Set<number>();
  /** What each agent has given since `begin`. */
  private givenAway: number[] = [];

  constructor(agents: number) {
    this.accounts = Array.from({ length: agents }, () => ({ trial: 0, earned: 0, reserved: 0 }));
  }

  /** Remembers what everybody has before a batch of commands runs concurrently. */
  begin(): FundingAccount[] {
    this.givenAway = this.accounts.map(() => 0);
    return structuredClone(this.accounts);
  }

  /**
   * Returns what an agent has given since `begin`. When a command was refused, the agent may have
   * had that much less.
   */
  getSpent(agent: number): number {
    return this.givenAway[agent] ?? 0;
  }

  private give(agent: number, amount: number): void {
    this.givenAway[agent] = this.getSpent(agent) + amount;
    this.getAccount(agent).earned -= amount;
  }

  private getAccount(agent: number): FundingAccount {
    return this.accounts[agent] as FundingAccount;
  }

  enroll(agent: number): void {
    this.enrollments.add(agent);
    this.getAccount(agent).trial += 100;
  }

  earn(agent: number, amount: number): void {
    this.getAccount(agent).earned += amount;
  }

  compensate(agent: number, amount: number): void {
    this.give(agent, amount);
  }

  offer(id: string, from: number, amount: number): void {
    this.give(from, amount);
    this.getAccount(from).reserved += amount;
    this.offers.set(id, { from, amount, open: true });
  }

  /** Ends an offer. `to` is the agent who was paid, or null when the units were returned. */
  settleOffer(id: string, to: number | null): void {
    const offer = this.offers.get(id);
    if (!offer?.open) throw new Error(`Offer ${id} was settled twice.`);
    offer.open = false;
    this.getAccount(offer.from).reserved -= offer.amount;
    this.getAccount(to ?? offer.from).earned += offer.amount;
  }

  postTask(
    id: string,
    owner: number,
    unit: ModelTask['unit'],
    reward: number,
    slots: number,
  ): void {
    if (unit === 'trial') this.getAccount(owner).trial -= reward * slots;
    else {
      this.give(owner, reward * slots);
      this.getAccount(owner).reserved += reward * slots;
    }
    this.tasks.set(id, { owner, unit, reward, left: slots });
  }

  /**
   * Ends a slot of a task. `to` is the agent who was paid, or null when the units were returned.
   */
  endSlot(id: string, to: number | null): void {
    const task = this.tasks.get(id);
    if (!task?.left) throw new Error(`A slot of task ${id} was settled twice.`);
    task.left--;
    if (task.unit === 'earned') this.getAccount(task.owner).reserved -= task.reward;
    if (to !== null) this.getAccount(to).earned += task.reward;
    else this.getAccount(task.owner)[task.unit] += task.reward;
  }
}

/** Mulberry32, a generator that yields the same numbers for the same seed on every machine. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
