import type { TestApp } from '../../support/app.ts';
import type { factories, Json, RequestOptions } from '../../support/factories.ts';
import { type CreditHolder, creditHelpers, creditSettings } from '../credits/setup.ts';

/** An installation with everything of tasks. */
export const taskSettings = {
  ...creditSettings,
  INTERACTIONS_ENABLED: 'on',
  ADJUDICATION_ENABLED: 'on',
  TASKS_ENABLED: 'on',
};

export const HOUR = 3600 * 1000;
export const expectedAnswers = { tests: 'All 212 pass', answer: 'Forty-Two' };
export const rightWork = {
  verdict: 'refuted',
  answers: Object.entries(expectedAnswers).map(([criterionId, answer]) => ({
    criterionId,
    answer,
  })),
};
export const wrongWork = {
  verdict: 'supported',
  answers: [{ criterionId: 'tests', answer: expectedAnswers.tests }],
};

/** Short ways to what tests of tasks need. */
export function taskHelpers(app: TestApp, f: ReturnType<typeof factories>) {
  const p = creditHelpers(app, f);
  const deadlineIn = (milliseconds: number) => new Date(app.clock() + milliseconds).toISOString();
  const buildTask = (more: object = {}) => ({
    ...{
      kind: 'artifact_review',
      title: 'Review the parser',
      instructions: 'Run its tests.',
      reward: 5,
      slots: 2,
      deadline: deadlineIn(HOUR),
      visibility: 'public',
    },
    rubric: Object.keys(expectedAnswers).map((id) => ({ id, text: `What about ${id}?` })),
    decisionMethod: 'community',
    fundingUnit: 'earned',
    ...more,
  });
  const extras: string[] = [];
  /** Adds agents to the invitees of a private task, as many as the community needs. */
  const inviteEnough = async (task: ReturnType<typeof buildTask>) => {
    const { invitees } = task as { readonly invitees?: readonly string[] };
    if (!invitees || task.decisionMethod !== 'community') return task;
    const missing = Math.max(0, task.slots + 3 - invitees.length);
    while (extras.length < missing) extras.push((await f.createAgent()).id);
    return { ...task, invitees: [...invitees, ...extras.slice(0, missing)] };
  };
  const send = (
    agent: { readonly key: string } | null,
    method: string,
    path: string,
    body?: object,
    more: RequestOptions = {},
  ) =>
    f.send(method, `/api/v1/${path}`, {
      ...(agent && { key: agent.key }),
      ...(body && { body }),
      ...more,
    });
  const expectOk = async (...call: Parameters<typeof send>): Promise<Json> => {
    const answer = await send(...call);
    if (answer.status !== 200)
      throw new Error(`${call[1]} ${call[2]} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  return {
    ...p,
    request: buildTask,
    until: deadlineIn,
    send,
    must: expectOk,
    /** A new fixture of these owners. */
    createAnswerFixture: async (
      owners: { readonly id: string } | readonly { readonly id: string }[],
      answers: object = expectedAnswers,
    ): Promise<Json> =>
      f.ok('POST', '/api/v1/admin/fixtures', {
        admin: true,
        body: { name: 'A fixture', owners: [owners].flat().map(({ id }) => id), answers },
      }),
    /** Id of a new task. */
    createTask: async (owner: CreditHolder, more: object = {}): Promise<string> =>
      (await expectOk(owner, 'POST', 'tasks', await inviteEnough(buildTask(more)))).id,
    inviteEnough,
    /** Id of a new task that a new fixture decides. */
    async createFixtureTask(owner: CreditHolder, more: object = {}): Promise<string> {
      return this.createTask(owner, {
        decisionMethod: 'fixture',
        fixtureId: (await this.createAnswerFixture(owner)).id,
        ...more,
      });
    },
    takeAssignment: (agent: CreditHolder, id: string) =>
      send(agent, 'POST', `tasks/${id}/assignments`),
    /** Id of a new assignment. */
    createAssignment: async (agent: CreditHolder, id: string): Promise<string> =>
      (await expectOk(agent, 'POST', `tasks/${id}/assignments`)).id,
    /** Submits work; an assignment without a submission has version 1. */
    submitWork: (agent: CreditHolder, id: string, body: object = rightWork, expectedVersion = 1) =>
      send(agent, 'POST', `assignments/${id}/submission`, { ...body, expectedVersion }),
    abandonAssignment: (agent: CreditHolder, id: string, expectedVersion = 1) =>
      send(agent, 'POST', `assignments/${id}/abandon`, { expectedVersion }),
    /** Cancels the version of a task that the agent reads. */
    async cancelTask(agent: CreditHolder, id: string, expectedVersion?: number) {
      const version =
        expectedVersion ?? (await send(agent, 'GET', `tasks/${id}`)).body.version ?? 1;
      return send(agent, 'POST', `tasks/${id}/cancel`, { expectedVersion: version });
    },
    addEvidence: (agent: CreditHolder, id: string, expectedVersion: number, more: object = {}) =>
      send(agent, 'POST', `assignments/${id}/evidence`, {
        expectedVersion,
        kind: 'statement',
        text: 'Ran it.',
        ...more,
      }),
    getTask: (agent: CreditHolder | null, id: string) => expectOk(agent, 'GET', `tasks/${id}`),
    getAssignment: (agent: CreditHolder | null, id: string) =>
      expectOk(agent, 'GET', `assignments/${id}`),
    createEnrolled: async (): Promise<CreditHolder> => {
      const agent = await p.createHolder();
      await expectOk(agent, 'POST', 'enrollment');
      return agent;
    },
  };
}
