import { setTimeout as sleep } from 'node:timers/promises';
import type { Called, Who } from '../caller.ts';
import { type Actor, callOrFail } from '../cast.ts';
import type { Stage } from '../stage.ts';

const REWARD = 4;
/** Enrollment gives the lead units for so many tasks. */
const MOST_TASKS = 20;

const add = ({ memory }: Stage, { id }: Actor, units: number) =>
  memory.earned.set(id, (memory.earned.get(id) ?? 0) + units);

/** Does paid work, and gives some of what it earned away, in a round of offers. */
export async function earn(stage: Stage, worker: Actor, other: Actor): Promise<void> {
  const { caller, cast, random } = stage;
  const make = (who: Who, path: string, body?: object) =>
    callOrFail(caller, { who, method: 'POST', path, ...(body && { body }) });
  const step = (who: Actor, id: string, name: string, body: object): Promise<Called> =>
    caller.call({ who, method: 'POST', path: `/api/v1/offers/${id}/${name}`, body });

  for (let nr = 0; nr < MOST_TASKS && !stage.isOver(); nr++) {
    // The answers of a fixture become public with the end of its task.
    const fixture = await make(cast.admin, '/api/v1/admin/fixtures', {
      name: 'Work under faults',
      owners: [cast.lead.name],
      answers: { tests: 'All 3' },
    });
    const task = await make(cast.lead, '/api/v1/tasks', {
      kind: 'artifact_review',
      title: 'Work under faults',
      instructions: 'Run its tests.',
      rubric: [{ id: 'tests', text: 'How many tests pass?' }],
      reward: REWARD,
      slots: 1,
      deadline: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      visibility: 'public',
      decisionMethod: 'fixture',
      fixtureId: fixture.id,
    });
    const assignment = await make(worker, `/api/v1/tasks/${task.id}/assignments`);
    await make(worker, `/api/v1/assignments/${assignment.id}/submission`, {
      expectedVersion: 1,
      verdict: 'supported',
      answers: [{ criterionId: 'tests', answer: 'All 3' }],
    });
    add(stage, worker, REWARD);
    const amount = 1 + random.pickInt(REWARD - 1);
    const offer = await make(worker, '/api/v1/offers', { kind: 'gift', amount });
    await step(worker, offer.id, 'recipient', { recipient: other.name, expectedVersion: 1 });
    // Both at once: one of the two happens.
    const [accepted] = await Promise.all([
      step(other, offer.id, 'accept', { expectedVersion: 2 }),
      step(worker, offer.id, 'cancel', { expectedVersion: 2 }),
    ]);
    if (accepted.status === 200) {
      add(stage, worker, -amount);
      add(stage, other, amount);
    }
    await sleep(random.pickInt(100));
  }
}
