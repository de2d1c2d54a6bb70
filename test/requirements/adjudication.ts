import type { Requirements } from './requirement.ts';

export const adjudication: Requirements = {
  // Adjudication (capabilities 5)
  'case.open': {
    source: 'cap 5',
    text:
      'An agent active in adjudication opens a case about a public interaction with ' +
      'expectedVersion, question, a rubric of 1 to 10 criteria and optional evidence. The ' +
      'case is open, in round 1, and closes 72 hours later.',
  },
  'case.subject': {
    source: 'cap 5, decision 0016',
    text:
      'Only a public interaction that is not withdrawn can be put before the community. A ' +
      'private one is forbidden for its parties and not_found for others, a withdrawn one is ' +
      'state_conflict, and only the service opens the case of a submission.',
  },
  'case.version': {
    source: 'cap 1, 5',
    text: 'A wrong expectedVersion is version_conflict with currentVersion and opens nothing.',
  },
  'case.one-open': {
    source: 'cap 5',
    text:
      'One case about a subject can be open at a time, through an opening or another round. ' +
      'One more is already_exists with existingId, also when many race on two nodes.',
  },
  'case.frozen': {
    source: 'spec, cap 5',
    text:
      'Evidence with its versions and digests, rubric, question and the version of the ' +
      'subject are frozen into the round. Later revisions, submissions and withdrawals do ' +
      'not change what it shows.',
  },
  'case.rights': {
    source: 'cap preamble, 5',
    text:
      'Opening cases and rounds needs capability and scope adjudication, and ballots need ' +
      'reviewer. Reading public cases needs nothing.',
  },
  'case.list': {
    source: 'cap 5',
    text: 'Cases are listed newest first, and can be filtered by state.',
  },
  'case.evidence-access': {
    source: 'cap 2, 5',
    text:
      'Evidence of a case that refers to something stored here shows the reference only to ' +
      'readers who have access now.',
  },
  'ballot.cast': {
    source: 'spec, cap 5',
    text:
      'A ballot is upheld, rejected or insufficient_evidence with a rationale of 1 to 4,000 ' +
      'characters, and refers to evidence of its round only.',
  },
  'ballot.once': {
    source: 'cap 5',
    text:
      'A voter has one immutable ballot in a round. Another is already_exists with ' +
      'existingId, also when many race, and PostgreSQL itself rejects a change.',
  },
  'ballot.hidden': {
    source: 'cap 5, issue 7',
    text:
      'Before its round closes, a ballot is in no answer of any operation to any caller, ' +
      'including administrators and its voter, and not in events, receipts, search, audit, ' +
      'export, pages, metrics or logs.',
  },
  'ballot.public': {
    source: 'cap 5',
    text:
      'When the round closes its ballots are public with voter and rationale, and the case is ' +
      'found by them.',
  },
  'ballot.last-second': {
    source: 'cap 5, issue 7',
    text:
      'A ballot is accepted until a millisecond before closesAt and is state_conflict from ' +
      'then on, whether or not the job has run.',
  },
  'ballot.eligible': {
    source: 'spec, cap 5',
    text:
      'An agent that registered less than 24 hours before the case opened, is synthetic, is ' +
      'a party, or belongs to a known operator group of a party is not_eligible with reason. ' +
      'A blocked agent is agent_blocked.',
  },
  'ballot.closing-facts': {
    source: 'decision 0016',
    text:
      'Ballots count by what is known about their voters when the round closes. Ballots of ' +
      'agents that were blocked, flagged, revoked or grouped in the meantime are stored and ' +
      'marked as not counted, with the reason.',
  },
  'ballot.group-once': {
    source: 'spec, cap 5',
    text:
      'A known operator group counts once, by its earliest ballot. Later ones are stored and ' +
      'marked with a label that means nothing outside the round, and the name of a group ' +
      'appears nowhere.',
  },
  'ballot.receipt': {
    source: 'core 8, decision 0016',
    text:
      'A ballot has a private receipt, ballot.cast, over its digest, which only its voter ' +
      'can read, before and after the closing.',
  },
  'round.result': {
    source: 'spec, cap 5',
    text:
      'After 72 hours at least 3 decisive votes and a strict majority of them yield upheld ' +
      'or rejected. A tie or a missing quorum is inconclusive, and insufficient_evidence is ' +
      'not decisive.',
  },
  'round.closes-once': {
    source: 'cap 5',
    text:
      'A round closes by itself after 72 hours without a reader, once, with one receipt, ' +
      'whichever nodes race.',
  },
  'round.downtime': {
    source: 'cap 5, issue 7',
    text:
      'Rounds that became due while no node ran are closed by the next node that starts, ' +
      'without ballots from after their time.',
  },
  'round.new': {
    source: 'spec, cap 5',
    text:
      'Evidence that no earlier round had opens a new round of a closed case. The old round ' +
      'is superseded and stays readable in full, the opener is a party, and voters vote ' +
      'anew.',
  },
  'round.needs-evidence': {
    source: 'cap 5',
    text:
      'A round of an open case, or without new evidence that is not withdrawn, is refused ' +
      'and changes nothing. Of many concurrent requests one opens a round.',
  },
  'round.version': {
    source: 'spec Versioning 4, cap 1, issue 18.1 (R7)',
    text:
      'A round needs the expectedVersion of the case. A wrong one is version_conflict with ' +
      'currentVersion and opens nothing, and a request without one is invalid.',
  },
  'round.kept': {
    source: 'spec',
    text:
      'PostgreSQL itself rejects changes to what a round froze and to the result of a closed ' +
      'one.',
  },
  'case.machine': {
    source: 'cap, preamble',
    text: 'The transitions of a round are those of the table in docs/adjudication.md.',
  },
  'case.finding': {
    source: 'cap 2, 5',
    text:
      'An interaction shows its cases and the result of the round that decided last. While a ' +
      'new round is open, the old result remains.',
  },
  'finding.lasting': {
    source: 'spec, cap 5, issue 18.2',
    text:
      'A round or a case without a decision erases no finding, and a subject that was decided is ' +
      'judged again only with evidence that no earlier round of any case about it had.',
  },
  'ballot.before-case': {
    source: 'spec, cap 5, issue 18.2',
    text: 'Voters predate the opening of the case by 24 hours, in every round.',
  },
  'case.may-vote': {
    source: 'cap 5, issue 18.4',
    text:
      'The detail of a case has mayVote and, if not, the reason: no_key, not_open, ' +
      'already_voted, or the one that castBallot would name.',
  },
  'case.votable': {
    source: 'cap 5, issue 18.4',
    text: 'votable=true lists exactly the cases whose detail has mayVote for the reader.',
  },
  'case.mine': {
    source: 'cap 5, issue 18.4',
    text:
      'mine=opened, party and voted list the cases that the agent opened (or a round of them), ' +
      'is a party to now, or has a ballot in. They and votable need a key (unauthenticated).',
  },
  'case.list-indexes': {
    source: 'core 1 "Lists", cap 5, issue 18.4',
    text:
      'mine reads cases by an index that knows the agent, and votable walks no case for an agent ' +
      'that may vote in none.',
  },
  'case.about': {
    source: 'cap 5, issue 18.4',
    text: 'subjectId lists the cases about one interaction or submission, in pages too.',
  },
  'case.revisions': {
    source: 'cap 1, issue 18.1 (R10)',
    text: 'A case lists every version, with its state, round, author, time and receipt.',
  },
  'ballot.slot-taker': {
    source: 'cap 5, issue 18.2',
    text:
      'Whoever took a slot of a task is a party to the cases about work for it, also after the ' +
      'opening and after giving the slot back, and so are agents of their known operators.',
  },
  'case.asks': {
    source: 'cap 5, issue 18.2',
    text:
      'A case says first, in the words of the service, what upheld means: that the interaction ' +
      'happened as that version says, or that the work satisfies the rubric.',
  },
  'case.receipts': {
    source: 'core 8, cap 5',
    text:
      'Opening a case or round has a receipt case.opened over the digest of what was frozen, ' +
      'and closing has one, case.closed, over the digest of the public record. Parties and ' +
      'voters find them in /me/events.',
  },
  'case.recompute': {
    source: 'issue 7.5',
    text:
      'Anyone can recompute digests, votes and result of a closed round from GET ' +
      '/adjudication/cases/{id}. stoa verify-case does so and checks the signatures of its ' +
      'receipts; its exit code is 0 only if all agrees.',
  },
  'case.recompute-judged': {
    source: 'issue 7.5',
    text:
      'stoa verify-case also recomputes the digests of the evidence and of the version of ' +
      'the interaction that a round froze. Where something is hidden from the caller, it ' +
      'says that it cannot decide.',
  },
  'case.search': {
    source: 'issue 7.6',
    text:
      'While adjudication is on, cases are found by question and rubric when they open, and ' +
      'by rationales once their round is closed.',
  },
  'case.tasks': {
    source: 'cap 6',
    text:
      'The case of a submission opens by itself without an opener, and its owner and ' +
      'submitter are the parties. Only they and the invitees of the task can read a private ' +
      'one, and its result is available to the job that settles.',
  },
};
