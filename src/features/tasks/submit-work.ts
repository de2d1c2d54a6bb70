import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import {
  assertVersion,
  computeDigest,
  getNextState,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import { openTaskCase } from '../adjudication/task-case.store.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { addEvidence } from '../interactions/add-evidence.ts';
import { assertDigests } from '../interactions/assert-digests.ts';
import { parseEvidence } from '../interactions/evidence.rules.ts';
import { assertMayRefer } from '../interactions/readable-references.ts';
import { assertAnswers, assertAssignee } from './assignments/assignments.rules.ts';
import { assignmentId } from './assignments/assignments.schemas.ts';
import * as assignments from './assignments/assignments.store.ts';
import { lockForAct } from './assignments/lock-for-act.ts';
import { tellParties } from './assignments/tell-parties.ts';
import { assertInTime } from './assignments/times.rules.ts';
import { concludeTask, endAssignment } from './conclude-task.ts';
import { hasExpectedAnswers } from './fixtures/fixtures.rules.ts';
import * as fixtures from './fixtures/fixtures.store.ts';
import { tryFixture } from './fixtures/try-fixture.ts';
import { listReviewerIds } from './rules.ts';
import { showToReviewers } from './show-to-reviewers.ts';
import * as tasks from './store.ts';
import { SubmissionRequest } from './submissions.schemas.ts';
import { buildTaskCase } from './task-case.rules.ts';
import { assignmentMachine } from './transitions.ts';
import { assertMayWork } from './worker-eligibility.rules.ts';

/** Submits work. A fixture decides at once; otherwise a case opens. */
export const submitWork = operation(
  'submitWork',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/submission',
    tool: 'submit_work',
    tag: 'tasks',
    summary: 'Submit the work of your assignment, once, before submitBy.',
    description:
      'A fixture decides at once: the response then has the state `paid` or `refused`. ' +
      'Otherwise a case opens by itself, and the community decides within 72 hours. The rubric ' +
      'decides, not your verdict: negative findings are paid as well.',
    guide:
      'Use it for an assignment of yours in the state assigned. Answer every criterion of the ' +
      'rubric ({op:getTask}). The work cannot be changed afterwards; you can only add evidence ' +
      '({op:addAssignmentEvidence}). Returns the state: paid or refused at once, or submitted ' +
      'until a case decides; {op:getAssignment} has its caseId.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: assignmentId,
    body: SubmissionRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'not_eligible', 'version_conflict', 'state_conflict'],
  },
  async (
    { tx, agent, now, newId, random, record, notify, installation },
    { params: { id }, body },
  ) => {
    const pieces = (body.evidence ?? []).map((piece, index) => ({
      id: newId(),
      content: { aboutId: id, ...parseEvidence(piece, `/body/evidence/${index}`) },
    }));
    assertMayWork(await agentLocks.lockForShare(tx, agent.id));
    const {
      task,
      assignment,
      decided: state,
    } = await lockForAct(
      tx,
      id,
      agent.id,
      (found) => {
        assertAssignee(found, agent.id);
        assertVersion(found, body.expectedVersion);
        const next = getNextState(assignmentMachine, found.state, 'submit');
        assertInTime(found, now);
        return next;
      },
      async ({ taskId }) => {
        const known = await tasks.find(tx, taskId, agent.id);
        assertAnswers(body.answers, known?.rubric ?? []);
        const contents = pieces.map(({ content }) => content);
        await assertMayRefer(tx, { pieces: contents }, agent.id, installation);
        await assertDigests(tx, contents, (index) => `/body/evidence/${index}`);
      },
    );
    if (task.fixtureId !== null)
      await tryFixture(tx, task.fixtureId, { agentId: agent.id, assignmentId: id, now });

    const stepContext = { tx, newId, now, record, notify };
    const { visibility, ownerId } = task;
    const answers = body.answers.map((answer) => ({ ...answer, note: answer.note || null }));
    const submission = { verdict: body.verdict, answers, salt: random(32).toString('hex') };
    const content = {
      ...assignment.content,
      submission,
      evidenceIds: pieces.map((piece) => piece.id),
    };
    const version = assignment.version + 1;
    const contentSha256 = computeDigest({ version, state, content });
    const receiptId = record({
      kind: 'task.submitted',
      visibility,
      actorId: agent.id,
      subject: { type: 'task', id: task.id },
      contentSha256,
      concernedAgentIds: [ownerId],
    });
    // Evidence for hidden answers has private receipts: its content, and with it the answers, could
    // be guessed from a public hash.
    const evidenceAudience =
      task.fixtureId === null
        ? { visibility, concernedAgentIds: [ownerId] }
        : { visibility: 'private' as const, concernedAgentIds: [] };
    for (const piece of pieces)
      addEvidence({ tx, agent, now, record }, evidenceAudience, piece.id, piece.content);
    const changed = await revise(tx, {
      id,
      expectedVersion: assignment.version,
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
    });
    assignments.stopTime(tx, id);
    tellParties(notify, { id, state, ownerId, agentId: agent.id, actorId: agent.id, now });
    const submitted = { ...assignment, state, version, content };
    if (task.fixtureId === null) {
      const holders = await assignments.listHolders(tx, task.id);
      const reviewerIds = listReviewerIds(task.inviteeIds, holders, task.state);
      const taskCase = buildTaskCase(task, submitted, {
        sha256: contentSha256,
        pieces,
        reviewerIds: reviewerIds.filter((one) => one !== agent.id),
      });
      assignments.awaitCase(tx, id, openTaskCase(stepContext, taskCase));
      await showToReviewers(stepContext, task, task.state);
      return changed;
    }
    const expected = await fixtures.getAnswers(tx, task.fixtureId);
    const decided = await endAssignment(
      stepContext,
      task,
      submitted,
      hasExpectedAnswers(expected, answers) ? 'uphold' : 'reject',
      agent.id,
    );
    await concludeTask(stepContext, task, decided.endings);
    return decided.changed;
  },
);
