import { expect } from 'vitest';
import { toIso } from '../../../../src/kernel/clock.ts';
import type { ModelGrant } from './money-model.ts';
import { type Actor, HOUR, Stage } from './stage.ts';

const answers = { count: '212 tests' };
const rubric = [{ id: 'count', text: 'How many tests pass?' }];

interface TaskOptions {
  readonly reward?: number;
  readonly slots?: number;
  /** Hours until the deadline. */
  readonly hours?: number;
  readonly assignmentHours?: number;
  readonly fixture?: string;
  readonly isTrial?: boolean;
}

/** Grants, tasks, fixtures and work. Each act tells the model what succeeded. */
export class WorkStage extends Stage {
  async createGrant(amount: number, limits: Partial<ModelGrant> = {}): Promise<string> {
    const bounds = { perTask: amount, perOperator: amount, perDay: amount, ...limits };
    const body = { name: 'A grant', amount, ...bounds, expiresAt: toIso(this.now + 2000 * HOUR) };
    const { id } = await this.administer('POST', 'subsidies', body);
    this.money.grants.set(id, { amount, ...bounds, withdrawn: 0 });
    return id;
  }

  async createFixture(...owners: Actor[]): Promise<string> {
    const ids = owners.map(({ id }) => id);
    const body = { name: 'A fixture', owners: ids, answers };
    const { id } = await this.administer('POST', 'fixtures', body);
    this.money.fixtures.set(id, { owners: ids, tried: new Set() });
    return id;
  }

  /** Id of the new task; null if it was refused. */
  async postTask(owner: Actor, options: TaskOptions = {}): Promise<string | null> {
    const { reward = 5, slots = 1, hours = 1000, assignmentHours = 168, fixture } = options;
    const deadline = this.now + hours * HOUR;
    const { status, body } = await this.send(owner, 'POST', 'tasks', {
      kind: 'artifact_review',
      title: 'Review the parser',
      instructions: 'Run its tests.',
      rubric,
      reward,
      slots,
      deadline: toIso(deadline),
      assignmentHours,
      visibility: 'public',
      decisionMethod: fixture ? 'fixture' : 'community',
      fixtureId: fixture ?? null,
      fundingUnit: options.isTrial ? 'trial' : 'earned',
    });
    if (status !== 200) return null;
    const { subsidyId } = await this.must(null, 'GET', `tasks/${body.id}`);
    if (subsidyId !== null) expect([...this.money.grants.keys()]).toContain(subsidyId);
    if (fixture) expect(this.money.fixtures.get(fixture)?.owners).toContain(owner.id);
    const day = toIso(this.now).slice(0, 10);
    const open = { released: false, returned: 0, paid: 0 };
    this.money.post({
      id: body.id,
      owner: owner.id,
      grant: subsidyId,
      reward,
      slots,
      day,
      deadline,
      hours: assignmentHours,
      fixture: fixture ?? null,
      ...open,
    });
    if (subsidyId !== null) expect(this.money.listBrokenLimits(subsidyId)).toEqual([]);
    return body.id;
  }

  async mustPostTask(owner: Actor, options?: TaskOptions): Promise<string> {
    const id = await this.postTask(owner, options);
    if (id === null) throw new Error('The task was refused.');
    return id;
  }

  /** Id of the new assignment; null if it was refused. */
  async take(agent: Actor, task: string, idem?: string): Promise<string | null> {
    const more = idem ? { idem } : {};
    const path = `tasks/${task}/assignments`;
    const { status, body } = await this.send(agent, 'POST', path, undefined, more);
    if (status !== 200) return null;
    if (this.money.assignments.has(body.id)) return body.id;
    const bar = this.money.findBarToTake(agent.id, task, this.now);
    expect(bar, 'a slot that the rules do not give').toBe(null);
    const { deadline, hours } = this.money.tasks.get(task) ?? { deadline: 0, hours: 0 };
    const submitBy = Math.min(deadline, this.now + hours * HOUR);
    const taken = { id: body.id, task, agent: agent.id, submitBy };
    this.money.assignments.set(body.id, { ...taken, state: 'assigned' });
    return body.id;
  }

  async mustTake(agent: Actor, task: string): Promise<string> {
    const id = await this.take(agent, task);
    if (id === null) throw new Error('The slot was refused.');
    return id;
  }

  /** Whether the work was accepted. A fixture has then decided; otherwise a case is open. */
  async submit(agent: Actor, id: string, isRight = true): Promise<boolean> {
    const assignment = this.money.assignments.get(id);
    const task = this.money.tasks.get(assignment?.task ?? '');
    if (!assignment || !task) throw new Error(`The model does not know assignment ${id}.`);
    const { status } = await this.send(agent, 'POST', `assignments/${id}/submission`, {
      verdict: isRight ? 'supported' : 'refuted',
      answers: [{ criterionId: 'count', answer: isRight ? answers.count : 'Some' }],
      expectedVersion: 1,
    });
    if (status !== 200) return false;
    // Read now, because another request may have changed the model meanwhile.
    const { state, submitBy } = assignment;
    const mayTry = !task.fixture || this.money.findBarToTry(agent.id, task.fixture) === null;
    expect({ state, mayTry, inTime: submitBy > this.now }).toEqual({
      state: 'assigned',
      mayTry: true,
      inTime: true,
    });
    assignment.state = 'submitted';
    if (task.fixture) {
      this.money.fixtures.get(task.fixture)?.tried.add(agent.id);
      this.money.settle(id, isRight);
    } else {
      const { caseId } = await this.must(null, 'GET', `assignments/${id}`);
      this.judging.cases.set(caseId, {
        id: caseId,
        openedAt: this.now,
        about: id,
        kind: 'work',
        rounds: [this.judging.createRound(this.now, [agent.id, task.owner])],
      });
    }
    return true;
  }

  /** Takes and submits; the id of the case that decides. */
  async work(agent: Actor, task: string, isRight = true): Promise<string> {
    const id = await this.mustTake(agent, task);
    expect(await this.submit(agent, id, isRight)).toBe(true);
    return (await this.must(null, 'GET', `assignments/${id}`)).caseId;
  }

  async abandon(agent: Actor, id: string): Promise<boolean> {
    const path = `assignments/${id}/abandon`;
    const { status } = await this.send(agent, 'POST', path, { expectedVersion: 1 });
    const assignment = this.money.assignments.get(id);
    if (status !== 200 || !assignment) return false;
    expect(assignment.state).toBe('assigned');
    assignment.state = 'abandoned';
    return true;
  }

  async cancel(owner: Actor, id: string): Promise<boolean> {
    const { version } = await this.must(null, 'GET', `tasks/${id}`);
    const path = `tasks/${id}/cancel`;
    const { status } = await this.send(owner, 'POST', path, { expectedVersion: version });
    const task = this.money.tasks.get(id);
    if (status !== 200 || !task) return false;
    expect(this.money.countFree(task), 'slots with an assignment').toBe(task.slots);
    this.money.release(task);
    return true;
  }

  /** Adds a statement to submitted work; its id. */
  async addWorkEvidence(agent: Actor, id: string): Promise<string> {
    const { version } = await this.must(agent, 'GET', `assignments/${id}`);
    const statement = { kind: 'statement', text: `Statement of version ${version}.` };
    const body = { ...statement, expectedVersion: version };
    return (await this.must(agent, 'POST', `assignments/${id}/evidence`, body)).id;
  }
}
