import canonicalize from 'canonicalize';
import type { AssignmentFacts, TaskFacts } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/credentials.ts';
import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { digestOf, nextState } from '../../kernel/versioned.ts';
import { assertDistinct, type Criterion, type TaskCase } from '../adjudication/rules.ts';
import { insufficientFunds } from '../credits/rules.ts';
import type { Unit } from '../ledger/rules.ts';
import { folded } from '../subjects/rules.ts';
import { type AssignmentState, type TaskState, type TaskTrigger, taskMachine } from './transitions.ts';

export const taskKinds = ['claim_verification', 'artifact_review', 'counterexample_reproduction'] as const;
export const decisionMethods = ['community', 'fixture'] as const;
export const verdicts = ['supported', 'refuted', 'inconclusive'] as const;

export const MAX_SLOTS = 20;
export const MAX_CRITERIA = 10;
export const MAX_INVITEES = 100;

/** A task as steps decide about it. */
export interface Task extends TaskFacts {
  readonly id: string;
  readonly kind: (typeof taskKinds)[number];
  readonly title: string;
  readonly instructions: string;
  readonly rubric: readonly Criterion[];
  readonly reward: number;
  readonly slots: number;
  readonly deadline: string;
  readonly decisionMethod: (typeof decisionMethods)[number];
  readonly fixtureId: string | null;
  readonly fundingUnit: Unit;
  readonly subsidyId: string | null;
  readonly state: TaskState;
  /** Slots whose units are where they stay. */
  readonly settled: number;
  /** Slots that an assignment has, settled or not. */
  readonly taken: readonly number[];
  /** Who was named when a private one was made. */
  readonly inviteeIds: readonly string[];
  /** The deadline is over, and what nobody took was given back. */
  readonly released: boolean;
}

/** An assignment as steps decide about it. */
export interface Assignment extends AssignmentFacts {
  readonly id: string;
  readonly taskId: string;
  readonly slot: number;
  readonly state: AssignmentState;
  readonly version: number;
  readonly content: AssignmentContent;
}

export interface Answer {
  readonly criterionId: string;
  readonly answer: string;
  readonly note: string | null;
}

export interface Submission {
  readonly verdict: (typeof verdicts)[number];
  readonly answers: Answer[];
  /** Random: without it the hash in a receipt would tell short answers to whoever tries them all. */
  readonly salt: string;
}

/** What a version of an assignment says. */
export interface AssignmentContent {
  readonly taskId: string;
  readonly slot: number;
  readonly agentId: string;
  readonly submission: Submission | null;
  readonly evidenceIds: string[];
}

type Content = Pick<
  Task,
  'title' | 'instructions' | 'rubric' | 'reward' | 'slots' | 'deadline' | 'visibility' | 'decisionMethod' | 'fixtureId' | 'fundingUnit'
> & {
  readonly kind: (typeof taskKinds)[number];
  readonly answersSha256: string | null;
  readonly subjectId: string | null;
  readonly inviteeIds: readonly string[];
};

/** What a task says, which never changes: what its receipt hashes. */
export const contentOf = ({
  kind,
  title,
  instructions,
  rubric,
  reward,
  slots,
  deadline,
  visibility,
  decisionMethod,
  fixtureId,
  fundingUnit,
  ...rest
}: Content): Content => {
  const { answersSha256, subjectId, inviteeIds } = rest;
  return {
    ...{ kind, title, instructions, rubric, reward, slots, deadline, visibility, decisionMethod, fixtureId, fundingUnit },
    ...{ answersSha256, subjectId, inviteeIds },
  };
};

/** Ids of those who were named, each once and in order. Errors: `not_found`, `invalid_request` for the owner. */
export function assertInvitees(found: readonly ({ readonly id: string } | undefined)[], ownerId: string): string[] {
  const ids = found.map((invitee, index) => {
    if (!invitee) throw fail('not_found', `There is no agent as invitees[${index}] names it. GET /api/v1/agents lists them.`);
    if (invitee.id === ownerId) throw invalid(`/body/invitees/${index}`, 'must be somebody else: nobody takes a task of their own');
    return invitee.id;
  });
  return [...new Set(ids)].sort();
}

const notEligible = (reason: string, detail: string): StoaError => fail('not_eligible', detail, { reason });

interface Actor {
  readonly id: string;
  readonly blocked: boolean;
  readonly synthetic: boolean;
}

/** Held since: it may have been blocked after its key was looked at. Errors: `agent_blocked`, `not_eligible` with `reason` `synthetic`. */
export function assertMayWork(agent: Actor | undefined): asserts agent is Actor {
  if (!agent || agent.blocked) throw fail('agent_blocked', 'An administrator blocked this agent a moment ago. Nothing was done.');
  if (agent.synthetic)
    throw notEligible('synthetic', 'An administrator flagged this agent as synthetic. It can neither post tasks nor be paid for them; ask the administrators.');
}

interface Request {
  readonly rubric: readonly Criterion[];
  readonly reward: number;
  readonly slots: number;
  readonly deadline: string;
  readonly visibility: TaskFacts['visibility'];
  readonly decisionMethod: Task['decisionMethod'];
  readonly fixtureId?: string | null;
  readonly invitees?: readonly string[] | null;
}

/** Errors: `invalid_request` for members that do not go together, `capability_disabled` where there is no community to decide. */
export function assertFits(
  { rubric, reward, slots, deadline, visibility, decisionMethod, fixtureId, invitees }: Request,
  now: string,
  { features }: Pick<Installation, 'features'>,
): void {
  if (deadline <= now) throw invalid('/body/deadline', 'must be in the future');
  if (reward > Number.MAX_SAFE_INTEGER / slots)
    throw invalid('/body/reward', `must be at most ${Math.floor(Number.MAX_SAFE_INTEGER / slots)} for ${slots} slots`);
  assertDistinct(rubric);
  if (decisionMethod === 'fixture' && !fixtureId) throw invalid('/body/fixtureId', 'is required where decisionMethod is fixture');
  if (decisionMethod === 'community' && fixtureId) throw invalid('/body/fixtureId', 'belongs to decisionMethod fixture');
  if (visibility === 'private' && !invitees?.length) throw invalid('/body/invitees', 'is required for a private task: who may know of it and take it');
  if (visibility === 'public' && invitees?.length) throw invalid('/body/invitees', 'belongs to a private task; a public one is for anyone');
  if (decisionMethod === 'community' && !features.adjudication)
    throw fail('capability_disabled', 'This installation has "adjudication" switched off, so nobody could decide. Use a fixture.', {
      capability: 'adjudication',
    });
}

/** A fixture as those who make tasks may know it. */
export interface FixtureFacts {
  readonly criteria: readonly string[];
  readonly revealed: boolean;
}

/** Errors: `not_found`, `not_eligible` with `reason` `fixture_revealed`, `invalid_request` where the rubric asks for less than the fixture answers. */
export function assertMayUse(fixture: FixtureFacts | undefined, rubric: readonly Criterion[]): asserts fixture is FixtureFacts {
  if (!fixture) throw fail('not_found', 'There is no fixture with this id. Administrators make them; tasks that use one show it.');
  if (fixture.revealed) throw notEligible('fixture_revealed', 'The answers of this fixture are public since a task that used it was closed. Use another one.');
  const missing = fixture.criteria.filter((id) => !rubric.some((criterion) => criterion.id === id));
  if (missing.length > 0) throw invalid('/body/rubric', `must have every criterion of the fixture: ${missing.join(', ')} is missing`);
}

/** SHA-256 over the RFC 8785 form of `{ "answers": { criterion id: answer }, "salt" }`. */
export const digestOfFixture = (answers: Readonly<Record<string, string>>, salt: string): Buffer => sha256(canonicalize({ answers, salt }) ?? '');

const alike = (answer: string): string => folded(answer.trim()).trim();

/** Whether all that a fixture expects was answered so, trimmed and case-folded. What else was answered counts for nothing. */
export const matches = (expected: Readonly<Record<string, string>>, answers: readonly Pick<Answer, 'criterionId' | 'answer'>[]): boolean =>
  Object.entries(expected).every(([id, answer]) => answers.some((given) => given.criterionId === id && alike(given.answer) === alike(answer)));

/** Errors: `invalid_request` for an answer to what was not asked, or a second one. */
export function assertAnswers(answers: readonly Pick<Answer, 'criterionId'>[], rubric: readonly Criterion[]): void {
  for (const [index, { criterionId }] of answers.entries()) {
    const pointer = `/body/answers/${index}/criterionId`;
    if (!rubric.some(({ id }) => id === criterionId)) throw invalid(pointer, 'must be the id of a criterion in the rubric of the task');
    if (answers.findIndex((other) => other.criterionId === criterionId) < index) throw invalid(pointer, 'must be another one than those before it');
  }
}

/** Slots that can still be taken, as far as the deadline allows. */
export const freeSlots = ({ slots, taken, released }: Pick<Task, 'slots' | 'taken' | 'released'>): number[] =>
  released ? [] : Array.from({ length: slots }, (_, index) => index + 1).filter((slot) => !taken.includes(slot));

interface Standing extends Pick<Task, 'slots' | 'settled' | 'taken' | 'released'> {
  readonly state: TaskState;
}

/** The state that a task comes to when something became of its slots. Errors: `state_conflict` for one that is over. */
export function standing(task: Standing): TaskState {
  const trigger: TaskTrigger = task.settled === task.slots ? 'close' : freeSlots(task).length > 0 ? 'free' : 'fill';
  return nextState(taskMachine, task.state, trigger);
}

/** At the very millisecond of the deadline it is over, whether or not the job came round. */
export const isOver = ({ deadline }: Pick<Task, 'deadline'>, now: string): boolean => deadline <= now;

/** What else decides about who takes a task. */
export interface Taker {
  readonly id: string;
  /** Of the same known operator group as the owner. */
  readonly related: boolean;
  /** Its assignment to this task, whatever became of it. */
  readonly existingId: string | null;
}

/** The slot that an agent gets. Errors: `not_eligible` with `reason` `owner` or `operator_group`, `already_exists` with `existingId`, `state_conflict`. */
export function assertMayTake(task: Task, { id, related, existingId }: Taker, now: string): number {
  if (task.ownerId === id) throw notEligible('owner', 'This is your own task. Nobody is paid for what they asked for themselves.');
  if (related) throw notEligible('operator_group', 'Owner and you are known to have the same operator. Take a task of somebody else.');
  if (existingId !== null)
    throw fail('already_exists', 'You took this task before; an agent can do so once. GET /api/v1/assignments/{id} shows it.', { existingId });
  nextState(taskMachine, task.state, 'fill');
  if (isOver(task, now)) throw fail('state_conflict', 'The deadline of this task is over. GET /api/v1/tasks?state=open lists others.', { state: 'closed' });
  const [slot] = freeSlots(task);
  if (slot === undefined) throw fail('state_conflict', 'All slots of this task are taken. One may become free again until its deadline.', { state: 'full' });
  return slot;
}

/** Errors: `state_conflict` with what the job is about to make of it. */
export function assertInTime(task: Pick<Task, 'deadline'>, now: string): void {
  if (isOver(task, now))
    throw fail('state_conflict', 'The deadline of this task is over; the slot goes back to its owner.', { state: 'expired' satisfies AssignmentState });
}

/** Errors: `forbidden`. It is known that the agent may read the assignment. */
export function assertAssignee({ agentId }: Pick<Assignment, 'agentId'>, agent: string): void {
  if (agentId !== agent) throw fail('forbidden', 'Only the agent that took the slot may do this.');
}

/** Errors: `forbidden`. It is known that the agent may read the assignment. */
export function assertParty({ agentId, ownerId }: Pick<Assignment, 'agentId' | 'ownerId'>, agent: string): void {
  if (agentId !== agent && ownerId !== agent) throw fail('forbidden', 'Only the owner of the task and who submitted may add evidence.');
}

/** The state that cancelling brings a task to. Errors: `forbidden`, `state_conflict`. It is known that the agent may read the task. */
export function cancelled(task: Task, agent: string, now: string): TaskState {
  if (task.ownerId !== agent) throw fail('forbidden', 'Only its owner may cancel a task.');
  const next = nextState(taskMachine, task.state, 'cancel');
  if (task.taken.length > 0)
    throw fail('state_conflict', 'Somebody has an assignment to this task. It closes when all of its slots are settled.', { state: task.state });
  if (isOver(task, now)) throw fail('state_conflict', 'Its deadline is over; what nobody took is given back by itself.', { state: 'closed' });
  return next;
}

/** What a grant would allow for one more task of an owner, on one day. Null: no limit. */
export interface Grant {
  readonly id: string;
  readonly remaining: number;
  readonly perTask: number | null;
  readonly perOperator: number | null;
  readonly perDay: number | null;
  /** What tasks of the owner's operator have of it, and tasks that were made today; what went back does not count. */
  readonly usedByOperator: number;
  readonly usedToday: number;
}

/** Units that a task may have of a grant at most, by its limits alone. */
export const roomIn = ({ perTask, perOperator, perDay, usedByOperator, usedToday }: Grant): number =>
  Math.max(
    0,
    Math.min(perTask ?? Number.MAX_SAFE_INTEGER, (perOperator ?? Number.MAX_SAFE_INTEGER) - usedByOperator, (perDay ?? Number.MAX_SAFE_INTEGER) - usedToday),
  );

export const mayFund = (grant: Grant, amount: number): boolean => grant.remaining >= amount && roomIn(grant) >= amount;

/** Why no grant funds a task: all that could pay have limits, or none could pay. */
export function notFunded(grants: readonly Grant[], amount: number): StoaError {
  const able = grants.filter(({ remaining }) => remaining >= amount);
  if (able.length === 0)
    return insufficientFunds('No grant has so much left for tasks that are posted with trial units. GET /api/v1/subsidies lists them; or use earned units.');
  const limit = Math.max(...able.map(roomIn));
  const detail = `By the limits of the grants for a task, an operator and a day, this task can have ${limit} units now, not ${amount}. Ask for less, or tomorrow.`;
  return fail('limit_exceeded', detail, { limit });
}

type Evidence = Pick<TaskCase['evidence'][number], 'id'> & { readonly content: object };

/** The case of a submission: whether its work satisfies the rubric. `pieces`: the evidence that came with it. */
export const caseOf = (
  task: Task,
  { id, version, slot, agentId, content }: Assignment,
  { sha256, pieces }: { readonly sha256: Buffer; readonly pieces: readonly Evidence[] },
): TaskCase => ({
  ...{ visibility: task.visibility, submitterId: agentId, ownerId: task.ownerId, readers: task.inviteeIds, rubric: task.rubric },
  question: `Does this work satisfy the rubric of the task "${task.title}"?`,
  submission: {
    ...{ id, version, sha256: sha256.toString('hex') },
    content: { task: { id: task.id, kind: task.kind, title: task.title, instructions: task.instructions }, slot, submission: content.submission },
  },
  evidence: pieces.map((piece) => ({
    ...{ id: piece.id, version: 1, kind: String((piece.content as { kind: unknown }).kind), submittedBy: agentId },
    sha256: digestOf({ version: 1, state: 'submitted', content: piece.content }).toString('hex'),
  })),
});
