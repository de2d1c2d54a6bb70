/** What an agent has, as a few lines can tell it. */
export interface Purse {
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
  /** Slots that are neither paid nor given back. */
  left: number;
}

/**
 * Credits in a few lines: nothing of the service is in it. It is told what succeeded, in any order that is possible, and knows what everybody has then.
 */
export class Model {
  readonly purses: Purse[];
  readonly offers = new Map<string, ModelOffer>();
  readonly tasks = new Map<string, ModelTask>();
  readonly enrollments = new Set<number>();
  /** What each agent gave since `begin`. */
  private given: number[] = [];

  constructor(agents: number) {
    this.purses = Array.from({ length: agents }, () => ({ trial: 0, earned: 0, reserved: 0 }));
  }

  /** What everybody has before a number of commands is run at once. */
  begin(): Purse[] {
    this.given = this.purses.map(() => 0);
    return structuredClone(this.purses);
  }

  /** What an agent gave since then: so much less it may have had when it was refused something. */
  spent(agent: number): number {
    return this.given[agent] ?? 0;
  }

  private give(agent: number, amount: number): void {
    this.given[agent] = this.spent(agent) + amount;
    this.of(agent).earned -= amount;
  }

  private of(agent: number): Purse {
    return this.purses[agent] as Purse;
  }

  enrolled(agent: number): void {
    this.enrollments.add(agent);
    this.of(agent).trial += 100;
  }

  earned(agent: number, amount: number): void {
    this.of(agent).earned += amount;
  }

  compensated(agent: number, amount: number): void {
    this.give(agent, amount);
  }

  offered(id: string, from: number, amount: number): void {
    this.give(from, amount);
    this.of(from).reserved += amount;
    this.offers.set(id, { from, amount, open: true });
  }

  /** `to`: who was paid; null when the units went back. */
  settled(id: string, to: number | null): void {
    const offer = this.offers.get(id);
    if (!offer?.open) throw new Error(`Offer ${id} was settled twice.`);
    offer.open = false;
    this.of(offer.from).reserved -= offer.amount;
    this.of(to ?? offer.from).earned += offer.amount;
  }

  posted(id: string, owner: number, unit: ModelTask['unit'], reward: number, slots: number): void {
    if (unit === 'trial') this.of(owner).trial -= reward * slots;
    else {
      this.give(owner, reward * slots);
      this.of(owner).reserved += reward * slots;
    }
    this.tasks.set(id, { owner, unit, reward, left: slots });
  }

  /** A slot of a task; `to`: who was paid; null when the units went back. */
  ended(id: string, to: number | null): void {
    const task = this.tasks.get(id);
    if (!task?.left) throw new Error(`A slot of task ${id} was settled twice.`);
    task.left--;
    if (task.unit === 'earned') this.of(task.owner).reserved -= task.reward;
    if (to !== null) this.of(to).earned += task.reward;
    else this.of(task.owner)[task.unit] += task.reward;
  }
}

/** Mulberry32: the same numbers for the same seed, everywhere. */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
