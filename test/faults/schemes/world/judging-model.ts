import type { MoneyModel } from './money-model.ts';

const HOUR = 3600 * 1000;

export type Verdict = 'upheld' | 'rejected' | 'insufficient_evidence';
export type Result = 'upheld' | 'rejected' | 'inconclusive';

interface ModelRound {
  readonly closesAt: number;
  readonly parties: readonly string[];
  readonly ballots: { readonly voter: string; readonly verdict: Verdict }[];
  result: Result | null;
  closedAt: number;
}

export interface ModelCase {
  readonly id: string;
  readonly openedAt: number;
  readonly about: string;
  readonly kind: 'interaction' | 'work';
  readonly rounds: ModelRound[];
}

export interface ModelInteraction {
  readonly id: string;
  readonly author: string;
  readonly target: string;
  withdrawn: boolean;
}

/** The lower bound of the 95 % Wilson interval, in six digits. */
function computeLowerBound(upheld: number, rejected: number): number {
  const n = upheld + rejected;
  const p = upheld / n;
  const z = 1.959963984540054;
  const centre = p + z ** 2 / (2 * n);
  const width = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return Math.round(((centre - width) / (1 + z ** 2 / n)) * 1e6) / 1e6;
}

/** Who may vote, what the votes decide, and what reputation follows, by the rules alone. */
export class JudgingModel {
  readonly cases = new Map<string, ModelCase>();
  readonly interactions = new Map<string, ModelInteraction>();

  private readonly money: MoneyModel;

  constructor(money: MoneyModel) {
    this.money = money;
  }

  createRound(now: number, parties: readonly string[]): ModelRound {
    return { closesAt: now + 72 * HOUR, parties, ballots: [], result: null, closedAt: 0 };
  }

  /** Says why an agent's ballot does not count in a round now; null if it does. */
  findBarToVote(voter: string, { openedAt, about, kind }: ModelCase, round: ModelRound) {
    const { createdAt, blocked } = this.money.getAgent(voter);
    const work = kind === 'work' ? this.money.assignments.get(about) : undefined;
    const takers = work ? this.money.listAssignments(work.task).map(({ agent }) => agent) : [];
    const parties = [...round.parties, ...takers];
    if (blocked) return 'blocked';
    if (createdAt > openedAt - 24 * HOUR) return 'registered too late';
    return parties.some((party) => this.money.isRelated(voter, party)) ? 'party' : null;
  }

  private computeResult(found: ModelCase, round: ModelRound): Result {
    const groups = new Set<string>();
    const counts = { upheld: 0, rejected: 0, insufficient_evidence: 0 };
    for (const { voter, verdict } of round.ballots) {
      const { group } = this.money.getAgent(voter);
      if (this.findBarToVote(voter, found, round) !== null) continue;
      if (group !== null && groups.has(group)) continue;
      if (group !== null) groups.add(group);
      counts[verdict]++;
    }
    const { upheld, rejected } = counts;
    if (upheld + rejected < 3 || upheld === rejected) return 'inconclusive';
    return upheld > rejected ? 'upheld' : 'rejected';
  }

  /** Closes the rounds that have to be over by now, and settles work by what they decide. */
  closeDue(now: number): void {
    for (const found of this.cases.values())
      for (const round of found.rounds) {
        if (round.result !== null || round.closesAt > now) continue;
        round.result = this.computeResult(found, round);
        round.closedAt = now;
        const work = found.kind === 'work' ? this.money.assignments.get(found.about) : undefined;
        if (!work || work.state === 'paid' || work.state === 'refused') continue;
        if (round.result === 'inconclusive') work.state = 'unresolved';
        else this.money.settle(work.id, round.result === 'upheld');
      }
  }

  /** What the community found about an interaction: the round that decided last. */
  getFinding(interaction: string): Result | null {
    const closed = [...this.cases.values()]
      .filter(({ about }) => about === interaction)
      .flatMap(({ rounds }) => rounds)
      .filter(({ result }) => result !== null)
      .sort((one, other) => one.closedAt - other.closedAt);
    const last = closed.filter(({ result }) => result !== 'inconclusive').at(-1);
    return (last ?? closed.at(-1))?.result ?? null;
  }

  /**
   * The reputation of an agent about which only deliveries were recorded and none was withdrawn;
   * null if something was withdrawn, or nothing was recorded.
   */
  findReputation(target: string): { knownIndependent: number; value: number | null } | null {
    const about = [...this.interactions.values()].filter((one) => one.target === target);
    if (about.length === 0 || about.some(({ withdrawn }) => withdrawn)) return null;
    const balance = new Map<string, number>();
    for (const { id, author } of about) {
      const { group, blocked } = this.money.getAgent(author);
      const finding = this.getFinding(id);
      if (group === null || blocked || this.money.isRelated(author, target)) continue;
      if (finding === null || finding === 'inconclusive') continue;
      balance.set(group, (balance.get(group) ?? 0) + (finding === 'upheld' ? 1 : -1));
    }
    const upheld = [...balance.values()].filter((sum) => sum > 0).length;
    const rejected = [...balance.values()].filter((sum) => sum < 0).length;
    const knownIndependent = upheld + rejected;
    const value = knownIndependent < 3 ? null : computeLowerBound(upheld, rejected);
    return { knownIndependent, value };
  }
}
