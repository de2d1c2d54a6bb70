import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { assertSubjectIsOn, CASE_SCOPES } from '../../kernel/record-access.ts';
import * as evidenceStore from '../interactions/evidence.store.ts';
import { hideUnreadableReferences } from '../interactions/hide-references.rules.ts';
import { findReadable } from '../interactions/readable-references.ts';
import { listEvidenceReferences } from '../interactions/references.rules.ts';
import { listCaseRevisions } from './case-revisions.rules.ts';
import * as views from './case-views.store.ts';
import type { Round } from './rounds.schemas.ts';
import { CaseDetail, caseId } from './schemas.ts';
import { findObstacle } from './voting/find-obstacle.ts';
import * as ballots from './voting/public-ballots.store.ts';

export const getCase = operation(
  'getCase',
  {
    method: 'GET',
    path: '/api/v1/adjudication/cases/{id}',
    tool: 'get_case',
    tag: 'adjudication',
    summary:
      'Read a case with all of its rounds: what is judged, and for each closed round the ' +
      'ballots and the result.',
    description:
      'An open round shows nothing about its ballots, to anyone. A closed round contains what is ' +
      'needed to recompute its result, but for ballots that `ballotsLeftOut` counts: ' +
      '{op:listBallots} has those. `stoa verify-case` fetches them, and the receipts that the ' +
      'answer names.',
    guide:
      'Use it before you vote, for the rubric, the evidence and the parties. What is judged is ' +
      'frozen: read the frozen version of an interaction with {op:getInteraction}. After ' +
      'closesAt it has the result and the ballots, with the reason if one was not counted. ' +
      'mayVote and reason say whether you can vote now.',
    auth: 'public',
    snapshot: true,
    mayBeLarge: true,
    scope: CASE_SCOPES,
    feature: 'adjudication',
    untrusted: true,
    params: caseId,
    output: CaseDetail,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation, reply, now }, { params: { id } }) => {
    const reader = agent?.id ?? null;
    const row = await views.find(tx, id, reader);
    if (!row) throw failNotFound('case');
    assertSubjectIsOn(row.subject.type, installation.features);
    // Whether the reader may vote is for its eyes only.
    reply.private = row.visibility === 'private' || reader !== null;
    const [rounds, allEvidence] = await Promise.all([
      ballots.listRounds(tx, id),
      evidenceStore.listEvidence(tx, row.subject.id),
    ]);
    // A case has at least one round.
    const { state, frozen } = rounds.at(-1) as Round;
    const { rubric, parties } = frozen;
    const frozenIds = new Set(
      rounds.flatMap((round) => round.frozen.evidence.map((piece) => piece.id)),
    );
    const pieces = allEvidence.filter((piece) => frozenIds.has(piece.id));
    const { subject, createdAt } = row;
    const facts = { subjectKind: subject.type, subjectId: subject.id, createdAt };
    const [readable, namedParties, reason] = await Promise.all([
      findReadable(tx, pieces.flatMap(listEvidenceReferences), reader, installation),
      views.listParties(tx, parties, subject.id),
      findObstacle(tx, reader, { state, frozen, facts }, now),
    ]);
    const evidence = pieces.map(({ interactionId: _, ...piece }) =>
      hideUnreadableReferences(piece, readable),
    );
    const handles = new Map(namedParties.map((party) => [party.id, party.handle]));
    return {
      ...row,
      rubric,
      parties: namedParties,
      mayVote: reason === null,
      reason,
      rounds,
      revisions: listCaseRevisions(rounds, handles),
      evidence,
    };
  },
);
