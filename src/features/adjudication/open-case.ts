import type { Transaction } from '../../db/database.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import {
  assertMayReadCase,
  assertMayReadInteraction,
  assertSubjectIsOn,
} from '../../kernel/record-access.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { assertVersion, computeDigest } from '../../kernel/records/versioned.ts';
import * as evidenceStore from '../interactions/evidence.store.ts';
import type { InteractionContent } from '../interactions/rules.ts';
import * as interactions from '../interactions/store.ts';
import type { InteractionState } from '../interactions/transitions.ts';
import * as search from '../search/store.ts';
import { CaseRequest } from './case-requests.schemas.ts';
import * as views from './case-views.store.ts';
import { freezeEvidence } from './freezing/frozen-evidence.rules.ts';
import { assertMayOpenRound } from './open-rounds.ts';
import { insertCase } from './opening.store.ts';
import {
  assertDistinctCriteria,
  assertNewEvidence,
  assertNoneOpen,
  assertNotWithdrawn,
  assertPublic,
} from './rules.ts';
import { CaseRow } from './schemas.ts';
import * as cases from './store.ts';

/**
 * Rejects a request to open the case of a submission, because that case opens automatically when
 * the work is submitted. Errors: `not_found`, `already_exists`, `state_conflict`.
 */
async function rejectSubmission(tx: Transaction, id: string, agentId: string): Promise<never> {
  const found = await cases.findNewestAbout(tx, 'task_submission', id);
  assertMayReadCase(found, agentId);
  if (found.state === 'open') assertNoneOpen(found);
  throw fail(
    'state_conflict',
    'The case of this submission is closed. With new evidence you can open another round: POST ' +
      `/api/v1/adjudication/cases/${found.id}/rounds.`,
    { state: found.state },
  );
}

export const openCase = operation(
  'openCase',
  {
    method: 'POST',
    path: '/api/v1/adjudication/cases',
    tool: 'open_case',
    tag: 'adjudication',
    summary: 'Put a public interaction before the community, for 72 hours.',
    description:
      'The version that you read, its evidence, your question and your rubric are frozen into ' +
      'the first round. The opener of a case is a party to it and may not vote. Only one case ' +
      'about a subject can be open at a time, and 50 rounds of one opener. Once a case has ' +
      'decided, another one needs evidence that no round had. It always asks whether the ' +
      'interaction happened as that version says; your question may narrow this. The case of a ' +
      'task opens automatically when its work is submitted.',
    guide:
      'Use it when the content of an interaction is in dispute. Read it first ' +
      '({op:getInteraction}): expectedVersion is its version. Submit evidence before you open ' +
      '({op:submitEvidence}). Upheld always means: as recorded. Returns the case; its ' +
      'result follows after closesAt ({op:getCase}).',
    auth: 'agent',
    scope: 'adjudication',
    feature: 'adjudication',
    idempotency: 'required',
    untrusted: true,
    body: CaseRequest,
    output: CaseRow,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict', 'already_exists'],
  },
  async (context, { body: { subject, expectedVersion, question, rubric, evidenceIds } }) => {
    const { tx, agent, installation } = context;
    const { type, id } = subject;
    assertDistinctCriteria(rubric);
    assertSubjectIsOn(type, installation.features);
    if (type === 'task_submission') return rejectSubmission(tx, id, agent.id);
    const interaction = await interactions.load(tx, id);
    assertMayReadInteraction(interaction, agent.id);
    assertPublic(interaction);
    await assertMayOpenRound(tx, agent.id);
    // Concurrent revisions, evidence and cases about the interaction wait for this lock.
    const { version, state, content } = await versions.lock<InteractionState, InteractionContent>(
      tx,
      id,
    );
    const [open, pieces, earlier] = await Promise.all([
      cases.findOpen(tx, type, id),
      evidenceStore.listEvidenceContents(tx, id),
      cases.findEarlierRounds(tx, type, id),
    ]);
    assertNoneOpen(open);
    assertVersion({ version }, expectedVersion);
    assertNotWithdrawn({ state });
    const evidence = freezeEvidence(pieces, evidenceIds ?? null);
    assertNewEvidence(evidence, earlier);
    const caseId = insertCase(context, {
      openedBy: agent.id,
      visibility: 'public',
      question,
      rubric,
      evidence,
      readers: [],
      subject: {
        type,
        id,
        version,
        sha256: computeDigest({ version, state, content }).toString('hex'),
        content: null,
      },
      parties: [
        interaction.authorId,
        ...(content.target.agent === null ? [] : [content.target.agent]),
        agent.id,
      ],
    });
    await search.index(tx, 'case', [caseId]);
    return (await views.find(tx, caseId, agent.id)) as CaseRow;
  },
);
