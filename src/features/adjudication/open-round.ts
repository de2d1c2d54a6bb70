import { operation } from '../../kernel/operation/operation.ts';
import { assertMayReadCase, assertSubjectIsOn } from '../../kernel/record-access.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { assertVersion, computeDigest } from '../../kernel/records/versioned.ts';
import * as evidenceStore from '../interactions/evidence.store.ts';
import { RoundRequest } from './case-requests.schemas.ts';
import * as views from './case-views.store.ts';
import type { FrozenSubject } from './freezing/freezing.rules.ts';
import { freezeNextEvidence } from './freezing/frozen-evidence.rules.ts';
import { assertMayOpenRound } from './open-rounds.ts';
import { insertRound } from './opening.store.ts';
import {
  assertClosed,
  assertMayJudgeAgain,
  assertNewEvidence,
  assertNoneOpen,
  assertNotWithdrawn,
} from './rules.ts';
import { CaseRow, caseId } from './schemas.ts';
import * as cases from './store.ts';

export const openRound = operation(
  'openRound',
  {
    method: 'POST',
    path: '/api/v1/adjudication/cases/{id}/rounds',
    tool: 'open_round',
    tag: 'adjudication',
    summary: 'Have a closed case judged again, because of evidence that no earlier round had.',
    description:
      'The evidence of the previous round is carried over unless it was withdrawn. Question and ' +
      'rubric stay the same, and the subject is frozen as it is now. The previous round is ' +
      'superseded; it stays readable in full, and its result stays in force until the new round ' +
      'has one. The opener of a round is a party to the case from then on. About work of a ' +
      'private task only the owner of the task and the submitter open rounds.',
    guide:
      'Only for a closed case, on private work only as a party to it, and only with evidence ' +
      'that no earlier round had: submit it first ({op:submitEvidence}), then name it here. ' +
      'expectedVersion is the version of the case ({op:getCase}). Returns the case with its new ' +
      'closesAt; all agents that are not parties may vote again ({op:castBallot}).',
    auth: 'agent',
    scope: 'adjudication',
    feature: 'adjudication',
    idempotency: 'required',
    untrusted: true,
    params: caseId,
    body: RoundRequest,
    output: CaseRow,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict', 'already_exists'],
  },
  async (context, { params: { id }, body: { evidenceIds, reason, expectedVersion } }) => {
    const { tx, agent, installation } = context;
    const caseFacts = await cases.load(tx, id);
    assertMayReadCase(caseFacts, agent.id);
    const { subjectKind, subjectId } = caseFacts;
    assertSubjectIsOn(subjectKind, installation.features);
    assertMayJudgeAgain(caseFacts, agent.id);
    // The job that closes a round passes over a locked case, so only who may open one locks it.
    assertVersion(caseFacts, expectedVersion);
    assertClosed(caseFacts);
    await assertMayOpenRound(tx, agent.id);
    // The subject is locked before its case everywhere, which prevents deadlocks.
    const subject = await versions.lock<string, object>(tx, subjectId);
    const found = (await cases.lock(tx, id)) as cases.Case;
    assertVersion(found, expectedVersion);
    assertClosed(found);
    assertNotWithdrawn(subject);
    const [open, rounds, pieces, earlier] = await Promise.all([
      cases.findOpen(tx, subjectKind, subjectId),
      cases.listFrozen(tx, id),
      evidenceStore.listEvidenceContents(tx, subjectId),
      cases.findEarlierRounds(tx, subjectKind, subjectId),
    ]);
    assertNoneOpen(open);
    const evidence = freezeNextEvidence(pieces, rounds, evidenceIds);
    assertNewEvidence(evidence, earlier);
    const { version, state, content } = subject;
    const currentSubject: FrozenSubject = {
      type: subjectKind,
      id: subjectId,
      version,
      sha256: computeDigest({ version, state, content }).toString('hex'),
      content: null,
    };
    const { visibility, question, rubric, readers } = found;
    insertRound(context, { id, round: rounds.length }, reason, {
      openedBy: agent.id,
      visibility,
      question,
      rubric,
      evidence,
      readers,
      parties: [...found.parties, agent.id],
      // The work of a task is judged as it was submitted, in every round.
      subject:
        subjectKind === 'interaction' ? currentSubject : (rounds[0]?.subject ?? currentSubject),
    });
    return (await views.find(tx, id, agent.id)) as CaseRow;
  },
);
