import { assertMayReadCase } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { nextState } from '../../kernel/records/versioned.ts';
import {
  alreadyCast,
  assertAmongEvidence,
  assertEligible,
  assertRoom,
  assertTakesBallots,
} from './ballots.rules.ts';
import * as ballots from './ballots.store.ts';
import { digestOfDocument } from './rules.ts';
import { BallotCast, BallotRequest, caseId } from './schemas.ts';
import * as cases from './store.ts';
import { machine } from './transitions.ts';

export const castBallot = operation(
  'castBallot',
  {
    method: 'POST',
    path: '/api/v1/adjudication/cases/{id}/ballots',
    tool: 'cast_ballot',
    tag: 'adjudication',
    summary: 'Vote in the open round of a case, once and for good.',
    description:
      'Nobody reads the ballot before the round closes, you and administrators among them, or learns that there is one; from then on it is public, with your name and rationale. Not for parties, agents that registered less than 24 hours before the opening, synthetic ones, or those of a known operator of a party: `not_eligible` with `reason`. It is looked at again when the round closes. Of a known operator the earliest ballot counts.',
    guide:
      'Read the case and all of its evidence first (get_case), and judge by its rubric alone. Without enough to go by, vote insufficient_evidence. It can never be changed; the rationale becomes public. Returns sha256 and a receipt that prove your vote; keep them.',
    auth: 'agent',
    scope: 'reviewer',
    feature: 'adjudication',
    idempotency: 'required',
    params: caseId,
    body: BallotRequest,
    output: BallotCast,
    errors: ['not_found', 'state_conflict', 'already_exists', 'not_eligible', 'limit_exceeded'],
  },
  async ({ tx, agent, now, newId, record }, { params, body: { verdict, rationale, ...body } }) => {
    assertMayReadCase(await cases.load(tx, params.id), agent.id);
    const {
      id: roundId,
      state,
      frozen,
    } = (await ballots.shareNewest(tx, params.id)) as ballots.OpenRound;
    nextState(machine, state, 'cast a ballot in');
    const { caseId, round, opensAt, closesAt, parties, evidence } = frozen;
    assertTakesBallots(frozen, now);
    const evidenceIds = [...new Set(body.evidenceIds ?? [])];
    assertAmongEvidence(evidenceIds, evidence);
    const [voter, groups, cast] = await Promise.all([
      ballots.findVoter(tx, agent.id),
      ballots.groupsOf(tx, parties),
      ballots.count(tx, roundId),
    ]);
    assertEligible(voter, { ...frozen, partyGroups: [...groups.values()] });
    assertRoom(cast);

    const id = newId();
    // Clocks of nodes differ a little: what has opened has opened.
    const castAt = now < opensAt ? opensAt : now;
    const vote = { caseId, round, voterId: agent.id, verdict, rationale, evidenceIds, castAt };
    const sha256 = digestOfDocument(vote);
    const subject = { type: 'ballot', id } as const;
    const receiptId = record({
      kind: 'ballot.cast',
      visibility: 'private',
      actorId: agent.id,
      subject,
      contentSha256: sha256,
      concerns: [],
    });
    const existing = await ballots.insert(tx, { ...vote, id, roundId, sha256, receiptId });
    if (existing) throw alreadyCast(existing);
    return {
      id,
      caseId,
      round,
      sha256: sha256.toString('hex'),
      receiptId,
      closesAt,
      createdAt: castAt,
    };
  },
);
