import { notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { readableOf, withReference } from '../interactions/readable-references.ts';
import { referencesOfPiece } from '../interactions/rules.ts';
import * as interactions from '../interactions/store.ts';
import type { Round } from './rounds.schemas.ts';
import { CaseDetail, caseId } from './schemas.ts';
import * as cases from './store.ts';

export const getCase = operation(
  'getCase',
  {
    method: 'GET',
    path: '/api/v1/adjudication/cases/{id}',
    tool: 'get_case',
    tag: 'adjudication',
    summary:
      'Read a case with all of its rounds: what is judged, and once a round is closed every ballot and the result.',
    description:
      'Of an open round nothing of ballots is shown, to nobody. Of a closed one all is there to compute its result again: `stoa verify-case` does, from this answer and the receipts that it names.',
    guide:
      'Use it before you vote: rubric, evidence and who is a party. What is judged is frozen: an interaction is read, in the frozen version, with get_interaction. After closesAt it has every ballot, counted or not and why, and the result.',
    auth: 'public',
    feature: 'adjudication',
    untrusted: true,
    params: caseId,
    output: CaseDetail,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation, reply }, { params: { id } }) => {
    const reader = agent?.id ?? null;
    const row = await cases.find(tx, id, reader);
    if (!row) throw notFound('case');
    reply.private = row.visibility === 'private';
    const [rounds, all] = await Promise.all([
      cases.listRounds(tx, id),
      interactions.listEvidence(tx, row.subject.id),
    ]);
    const { rubric, parties } = (rounds.at(-1) as Round).frozen;
    const frozen = new Set(
      rounds.flatMap((round) => round.frozen.evidence.map((piece) => piece.id)),
    );
    const pieces = all.filter((piece) => frozen.has(piece.id));
    const [readable, named] = await Promise.all([
      readableOf(tx, pieces.flatMap(referencesOfPiece), reader, installation),
      cases.listParties(tx, parties),
    ]);
    const evidence = pieces.map(({ interactionId: _, ...piece }) => withReference(piece, readable));
    return { ...row, rubric, parties: named, rounds, evidence };
  },
);
