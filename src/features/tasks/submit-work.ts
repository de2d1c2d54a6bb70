import { assertMayReadAssignment } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import { assertVersion, digestOf, nextState, VersionedRecord } from '../../kernel/records/versioned.ts';
import { openTaskCase } from '../adjudication/store.ts';
import * as agents from '../agents/store.ts';
import { assertMayRefer } from '../interactions/readable-references.ts';
import { pieceOf } from '../interactions/rules.ts';
import { submit } from '../interactions/submit.ts';
import { assertAnswers, assertAssignee, assertInTime, caseOf } from './assignments.rules.ts';
import { assignmentId, SubmissionRequest } from './assignments.schemas.ts';
import { matches } from './fixtures.rules.ts';
import * as fixtures from './fixtures.store.ts';
import { assertMayWork } from './rules.ts';
import { conclude, end } from './conclude-task.ts';
import * as tasks from './store.ts';
import { assignmentMachine } from './transitions.ts';

export const submitWork = operation(
  'submitWork',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/submission',
    tool: 'submit_work',
    tag: 'tasks',
    summary: 'Submit the work of your assignment, once, before the deadline.',
    description:
      'A fixture decides with the answer: the state is then `paid` or `refused`. Otherwise a case opens by itself, and the community decides within 72 hours. The rubric decides, not your verdict: a negative finding is paid as well.',
    guide:
      'For an assignment of yours in the state assigned. Answer every criterion of the rubric (get_task); it cannot be changed afterwards, only evidence can be added (add_assignment_evidence). Returns the state: paid or refused at once, or submitted until a case decides; get_assignment has its caseId.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: assignmentId,
    body: SubmissionRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'not_eligible', 'version_conflict', 'state_conflict'],
  },
  async ({ tx, agent, now, newId, random, record, installation }, { params: { id }, body }) => {
    const pieces = (body.evidence ?? []).map((piece, index) => ({
      id: newId(),
      content: { aboutId: id, ...pieceOf(piece, `/body/evidence/${index}`) },
    }));
    assertMayWork(await agents.hold(tx, agent.id));
    const found = await tasks.lockAssignment(tx, id);
    assertMayReadAssignment(found?.assignment, agent.id);
    const { task, assignment } = found as NonNullable<typeof found>;
    assertAssignee(assignment, agent.id);
    assertVersion(assignment, body.expectedVersion ?? assignment.version);
    const state = nextState(assignmentMachine, assignment.state, 'submit');
    assertInTime(task, now);
    assertAnswers(body.answers, task.rubric);
    await assertMayRefer(
      tx,
      { pieces: pieces.map(({ content }) => content) },
      agent.id,
      installation,
    );

    const acting = { tx, newId, now, record };
    const { visibility, ownerId } = task;
    const answers = body.answers.map(({ criterionId, answer, note }) => ({
      criterionId,
      answer,
      note: note || null,
    }));
    const submission = { verdict: body.verdict, answers, salt: random(32).toString('hex') };
    const content = {
      ...assignment.content,
      submission,
      evidenceIds: pieces.map((piece) => piece.id),
    };
    const version = assignment.version + 1;
    const contentSha256 = digestOf({ version, state, content });
    const receiptId = record({
      ...{
        kind: 'task.submitted',
        visibility,
        actorId: agent.id,
        subject: { type: 'task', id: task.id },
      },
      ...{ contentSha256, concerns: [ownerId] },
    });
    // A public hash of what stands beside hidden answers could be guessed at, and the answers with it.
    const aside =
      task.fixtureId === null
        ? { visibility, concerns: [ownerId] }
        : { visibility: 'private' as const, concerns: [] };
    for (const piece of pieces) submit({ tx, agent, now, record }, aside, piece.id, piece.content);
    const changed = await revise(tx, {
      id,
      expectedVersion: assignment.version,
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
    });
    const submitted = { ...assignment, state, version, content };
    if (task.fixtureId === null) {
      tasks.awaitCase(
        tx,
        id,
        openTaskCase(acting, caseOf(task, submitted, { sha256: contentSha256, pieces })),
      );
      return changed;
    }
    const expected = await fixtures.answersOf(tx, task.fixtureId);
    const decided = await end(
      acting,
      task,
      submitted,
      matches(expected, answers) ? 'uphold' : 'reject',
    );
    await conclude(acting, task, decided.endings);
    return decided.changed;
  },
);
