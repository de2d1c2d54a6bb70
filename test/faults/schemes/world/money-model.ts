/** What an agent is and has, by the rules alone. */
export interface ModelAgent {
  readonly id: string;
  readonly createdAt: number;
  /** The known operator; null where it is unknown. */
  group: string | null;
  blocked: boolean;
  trial: number;
  earned: number;
  reserved: number;
}

export interface ModelGrant {
  readonly amount: number;
  readonly perTask: number;
  readonly perOperator: number;
  readonly perDay: number;
  withdrawn: number;
}

export interface ModelTask {
  readonly id: string;
  readonly owner: string;
  readonly grant: string | null;
  readonly reward: number;
  readonly slots: number;
  readonly day: string;
  readonly deadline: number;
  readonly hours: number;
  readonly fixture: string | null;
  released: boolean;
  returned: number;
  paid: number;
}

export interface ModelAssignment {
  readonly id: string;
  readonly task: string;
  readonly agent: string;
  readonly submitBy: number;
  state: 'assigned' | 'submitted' | 'unresolved' | 'paid' | 'refused' | 'abandoned' | 'expired';
}

interface ModelFixture {
  readonly owners: readonly string[];
  readonly tried: Set<string>;
}

/**
 * Who has what, and who may work for it, in as few lines as the rules have sentences. It shares no
 * code with the service.
 */
export class MoneyModel {
  readonly agents = new Map<string, ModelAgent>();
  readonly grants = new Map<string, ModelGrant>();
  readonly tasks = new Map<string, ModelTask>();
  readonly assignments = new Map<string, ModelAssignment>();
  readonly fixtures = new Map<string, ModelFixture>();

  getAgent(id: string): ModelAgent {
    const agent = this.agents.get(id);
    if (!agent) throw new Error(`The model does not know agent ${id}.`);
    return agent;
  }

  /** Whether two agents are one, or are known to have one operator. */
  isRelated(one: string, other: string): boolean {
    const { group } = this.getAgent(one);
    return one === other || (group !== null && group === this.getAgent(other).group);
  }

  listAssignments(task: string): ModelAssignment[] {
    return [...this.assignments.values()].filter((one) => one.task === task);
  }

  countFree({ id, slots, released }: ModelTask): number {
    const held = this.listAssignments(id).filter(
      ({ state }) => state !== 'abandoned' && state !== 'expired',
    );
    return released ? 0 : slots - held.length;
  }

  /** Units that a grant has given or promised to tasks like this one. */
  sumUsed(grant: string, isLike: (task: ModelTask) => boolean = () => true): number {
    return [...this.tasks.values()]
      .filter((task) => task.grant === grant && isLike(task))
      .reduce((sum, { reward, slots, returned }) => sum + reward * (slots - returned), 0);
  }

  /** Names the limits that the tasks of a grant have broken. */
  listBrokenLimits(grant: string): string[] {
    const { amount, perTask, perOperator, perDay, withdrawn } = this.grants.get(
      grant,
    ) as ModelGrant;
    const tasks = [...this.tasks.values()].filter((task) => task.grant === grant);
    const broken = tasks.flatMap(({ owner, day, reward, slots }) => [
      ...(reward * slots > perTask ? ['per_task'] : []),
      ...(this.sumUsed(grant, (one) => this.isRelated(one.owner, owner)) > perOperator
        ? ['per_operator']
        : []),
      ...(this.sumUsed(grant, (one) => one.day === day) > perDay ? ['per_day'] : []),
    ]);
    return [...broken, ...(this.sumUsed(grant) > amount - withdrawn ? ['amount'] : [])];
  }

  post(task: ModelTask): void {
    const owner = this.getAgent(task.owner);
    const units = task.reward * task.slots;
    if (task.grant === null) {
      owner.earned -= units;
      owner.reserved += units;
    } else owner.trial -= units;
    this.tasks.set(task.id, task);
  }

  /** Returns the units of a slot to where they came from. */
  private returnSlot(task: ModelTask): void {
    const owner = this.getAgent(task.owner);
    task.returned++;
    if (task.grant === null) {
      owner.reserved -= task.reward;
      owner.earned += task.reward;
    } else owner.trial += task.reward;
  }

  /** Says why an agent may not take a slot; null if it may. */
  findBarToTake(agent: string, taskId: string, now: number): string | null {
    const task = this.tasks.get(taskId) as ModelTask;
    const fixture = task.fixture === null ? undefined : this.fixtures.get(task.fixture);
    if (this.isRelated(agent, task.owner)) return 'owner or its operator';
    if (this.listAssignments(taskId).some((one) => one.agent === agent)) return 'took it before';
    if (this.getAgent(task.owner).blocked || this.getAgent(agent).blocked) return 'blocked';
    if (task.deadline <= now || this.countFree(task) < 1) return 'no slot';
    return fixture ? this.findBarToTry(agent, task.fixture as string) : null;
  }

  /** Says why an agent may not submit against a fixture; null if it may. */
  findBarToTry(agent: string, fixtureId: string): string | null {
    const { owners, tried } = this.fixtures.get(fixtureId) as ModelFixture;
    if (owners.some((owner) => this.isRelated(agent, owner))) return 'owner of the fixture';
    return [...tried].some((other) => this.isRelated(agent, other)) ? 'tried before' : null;
  }

  /** Settles submitted work, once. */
  settle(id: string, isRight: boolean): void {
    const assignment = this.assignments.get(id) as ModelAssignment;
    const task = this.tasks.get(assignment.task) as ModelTask;
    assignment.state = isRight ? 'paid' : 'refused';
    if (!isRight) {
      this.returnSlot(task);
      return;
    }
    task.paid++;
    this.getAgent(assignment.agent).earned += task.reward;
    if (task.grant === null) this.getAgent(task.owner).reserved -= task.reward;
  }

  /** Gives the units of free slots back. */
  release(task: ModelTask): void {
    const free = this.countFree(task);
    task.released = true;
    for (let slot = 0; slot < free; slot++) this.returnSlot(task);
  }

  /** Ends what has to be over by now. */
  passTo(now: number): void {
    for (const assignment of this.assignments.values())
      if (assignment.state === 'assigned' && assignment.submitBy <= now)
        assignment.state = 'expired';
    for (const task of this.tasks.values())
      if (task.deadline <= now && !task.released) this.release(task);
  }
}
