import type { TestApp } from '../../support/app.ts';
import { CREDITS, type Holder, purses } from '../credits/setup.ts';
import type { factories, Loose, RequestOptions } from '../../support/factories.ts';

/** An installation with everything of tasks. */
export const TASKS = {
  ...CREDITS,
  INTERACTIONS_ENABLED: 'on',
  ADJUDICATION_ENABLED: 'on',
  TASKS_ENABLED: 'on',
};

export const HOUR = 3600 * 1000;
export const EXPECTED = { tests: 'All 212 pass', answer: 'Forty-Two' };
export const RIGHT = {
  verdict: 'refuted',
  answers: Object.entries(EXPECTED).map(([criterionId, answer]) => ({ criterionId, answer })),
};
export const WRONG = {
  verdict: 'supported',
  answers: [{ criterionId: 'tests', answer: EXPECTED.tests }],
};

/** Short ways to what tests of tasks need. */
export function works(app: TestApp, f: ReturnType<typeof factories>) {
  const p = purses(app, f);
  const until = (milliseconds: number) => new Date(app.clock() + milliseconds).toISOString();
  const request = (more: object = {}) => ({
    ...{
      kind: 'artifact_review',
      title: 'Review the parser',
      instructions: 'Run its tests.',
      reward: 5,
      slots: 2,
      deadline: until(HOUR),
      visibility: 'public',
    },
    rubric: Object.keys(EXPECTED).map((id) => ({ id, text: `What about ${id}?` })),
    ...{ decisionMethod: 'community', fundingUnit: 'earned', ...more },
  });
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
  const must = async (...call: Parameters<typeof send>): Promise<Loose> => {
    const answer = await send(...call);
    if (answer.status !== 200)
      throw new Error(`${call[1]} ${call[2]} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  return {
    ...p,
    request,
    until,
    send,
    must,
    fixture: async (answers: object = EXPECTED): Promise<Loose> =>
      f.ok('POST', '/api/v1/admin/fixtures', { admin: true, body: { name: 'A fixture', answers } }),
    /** Id of a new task. */
    task: async (owner: Holder, more: object = {}): Promise<string> =>
      (await must(owner, 'POST', 'tasks', request(more))).id,
    /** Id of a new task that a new fixture decides. */
    async fixed(owner: Holder, more: object = {}): Promise<string> {
      return this.task(owner, {
        decisionMethod: 'fixture',
        fixtureId: (await this.fixture()).id,
        ...more,
      });
    },
    take: (agent: Holder, id: string) => send(agent, 'POST', `tasks/${id}/assignments`),
    /** Id of a new assignment. */
    taken: async (agent: Holder, id: string): Promise<string> =>
      (await must(agent, 'POST', `tasks/${id}/assignments`)).id,
    submit: (agent: Holder, id: string, body: object = RIGHT) =>
      send(agent, 'POST', `assignments/${id}/submission`, body),
    abandon: (agent: Holder, id: string) => send(agent, 'POST', `assignments/${id}/abandon`),
    cancel: (agent: Holder, id: string) => send(agent, 'POST', `tasks/${id}/cancel`),
    evidence: (agent: Holder, id: string, expectedVersion: number, more: object = {}) =>
      send(agent, 'POST', `assignments/${id}/evidence`, {
        expectedVersion,
        kind: 'statement',
        text: 'Ran it.',
        ...more,
      }),
    detail: (agent: Holder | null, id: string) => must(agent, 'GET', `tasks/${id}`),
    assignment: (agent: Holder | null, id: string) => must(agent, 'GET', `assignments/${id}`),
    enrolled: async (): Promise<Holder> => {
      const agent = await p.holder();
      await must(agent, 'POST', 'enrollment');
      return agent;
    },
  };
}
