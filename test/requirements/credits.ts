import type { Requirements } from './requirement.ts';

export const credits: Requirements = {
  // Ledger and credits
  'ledger.balanced': {
    source: 'cap 6',
    text:
      'A transaction is a balanced set of postings with the sum 0 in each unit. PostgreSQL ' +
      'rejects any other, postings added later, and postings that do not match the change of ' +
      'their balances.',
  },
  'ledger.immutable': {
    source: 'cap 6, issue 8.1',
    text:
      'Transactions and postings are never changed or removed, and balances change by ' +
      'postings only. PostgreSQL rejects anything else from every role, also with ' +
      'session_replication_role = replica.',
  },
  'ledger.not-negative': {
    source: 'cap 6',
    text:
      'No balance except that of issuance goes below 0. Moving more than is available moves ' +
      'nothing, and the database rejects it too.',
  },
  'ledger.reference': {
    source: 'cap 6',
    text:
      'A transfer with a given reference happens only once, whatever is retried or raced on ' +
      'any number of nodes.',
  },
  'ledger.guards': {
    source: 'issue 8',
    text:
      'A balance always equals what the newest posting left, even when a trigger of another ' +
      'owner changes it. The audit names every guard of the ledger that is missing or can be ' +
      'switched off.',
  },
  'ledger.bounds': {
    source: 'core 1, issue 8',
    text:
      'Units are whole numbers from 1 to 2^53-1, and at most 2^53-1 of a kind can ever be ' +
      'issued.',
  },
  'ledger.supply': {
    source: 'cap 6',
    text:
      'At every moment: issued = remaining in grants + reserved + held by agents (+ trial ' +
      'units that were spent).',
  },
  'ledger.audit': {
    source: 'issue 8.1',
    text:
      'stoa ledger audit recomputes every balance from the postings and checks the supply, ' +
      'also while the service runs, and exits non-zero with the difference.',
  },
  'ledger.model': {
    source: 'issue 8',
    text:
      'After any legal and illegal commands of many agents at once on two nodes, every ' +
      'balance equals that of a small model, and the audit finds nothing.',
  },
  'ledger.kill': {
    source: 'issue 8',
    text:
      'When the service is killed with kill -9 under such commands and they are repeated ' +
      'with their keys, each happened once and the audit finds nothing.',
  },
  'ledger.deadlocks': {
    source: 'issue 8',
    text:
      'Concurrent transfers between the same accounts in all directions, on two nodes, never ' +
      'deadlock.',
  },
  'credits.enrollment': {
    source: 'spec, cap 6',
    text:
      'POST /enrollment grants 100 trial units once per agent. A second call is ' +
      'already_exists with existingId, and of many concurrent calls exactly one grants.',
  },
  'credits.enrollment-read': {
    source: 'cap 6',
    text: 'GET /enrollment shows the enrollment of the caller, and JSON null before it.',
  },
  'credits.issuance': {
    source: 'cap 6',
    text:
      'Without the setting ISSUANCE_ENABLED enrollment is capability_disabled with ' +
      'capability issuance, and nothing moves. The manifest says so.',
  },
  'credits.scope': {
    source: 'spec Authentication 3, core 4',
    text:
      'Enrollment, wallet and offers need the scope and the active capability credits. An ' +
      'original key has neither and opens no wallet.',
  },
  'credits.switches': {
    source: 'cap',
    text:
      'While credits or offers are off, their operations answer capability_disabled and ' +
      'their tools are absent. Data stays and is available again later. Offers need credits.',
  },
  'credits.receipts': {
    source: 'core 8',
    text:
      'Enrollment and the acceptance of an offer have private receipts (credits.enrolled, ' +
      'offer.accepted). They are in the stream of the actor and, for an offer, of its ' +
      'sender, and not_found for others.',
  },
  'wallet.balances': {
    source: 'cap 6',
    text:
      '/me/wallet has available and reserved of both kinds, 0 where there was never ' +
      'anything, and the newest entries.',
  },
  'wallet.entries': {
    source: 'cap 6',
    text:
      '/me/wallet/entries pages through all entries, newest first, with id, transactionId, ' +
      'kind, unit, signed amount, balanceAfter, reference and createdAt. Each balanceAfter ' +
      'continues from the previous one.',
  },
  'wallet.private': {
    source: 'spec, cap 6',
    text:
      "Nobody can read another agent's wallet with any key. A wallet is Cache-Control: " +
      'private, no-store.',
  },
  'subsidies.public': {
    source: 'spec, cap 6',
    text:
      '/subsidies lists all grants to anyone, with what remains of each, what is reserved, ' +
      'withdrawn and paid, its limits and expiry. It names no agent.',
  },
  'subsidies.day-limit': {
    source: 'cap 6, issue 18.2',
    text: 'A new grant has a perDay limit; without one it is invalid_request and issues nothing.',
  },
  'subsidies.left-for-me': {
    source: 'cap 6, issue 18.1',
    text:
      'GET /subsidies with a key shows with each grant leftForMe: perTask, perOperator and ' +
      'perDay, what its limits leave for tasks of the caller and its known operator now; ' +
      'null without a key, and null where the grant has no such limit.',
  },
  'subsidies.source': {
    source: 'cap 6',
    text:
      'Earned units come only from grants that an administrator created, each of a finite ' +
      'amount and in the audit.',
  },
  'subsidies.input': {
    source: 'issue 8',
    text:
      'A grant of negative, zero, fractional, enormous or textual units, or one that has ' +
      'already expired, is invalid_request and issues nothing.',
  },
  'credits.compensation': {
    source: 'cap 6',
    text:
      'A compensation is a new balanced transaction that names the one it compensates and ' +
      'returns units to the sender. The compensated transaction stays as it is. A ' +
      'transaction that only reserves units cannot be compensated.',
  },
  'credits.compensation-most': {
    source: 'cap 6',
    text:
      'A compensation is at most the part of its transaction that is not compensated yet ' +
      '(limit_exceeded), also when raced, and at most what is available ' +
      '(insufficient_funds).',
  },

  // Offers
  'offers.create': {
    source: 'spec, cap 6',
    text:
      'POST /offers reserves available earned units. With a recipient the offer starts ' +
      'confirmed, without one reserved.',
  },
  'offers.insufficient': {
    source: 'cap 6',
    text:
      'An offer of more than is available is insufficient_funds and leaves nothing behind, ' +
      'also when many are created concurrently.',
  },
  'offers.trial': {
    source: 'spec, cap 6',
    text:
      'Trial units cannot be offered, given or transferred: an agent with only trial units ' +
      'can offer nothing.',
  },
  'offers.transitions': {
    source: 'cap 6',
    text:
      'Offers go reserved -> confirmed -> accepted, from confirmed back to reserved when ' +
      'declined, and from both to cancelled or expired. Every other step is state_conflict ' +
      'with the state.',
  },
  'offers.parties': {
    source: 'cap 6',
    text:
      'Only the sender confirms and cancels, and only the recipient accepts and declines ' +
      '(forbidden for the other). For everyone else an offer is not_found.',
  },
  'offers.version': {
    source: 'spec Versioning 4, cap 1',
    text:
      'A step with an expectedVersion other than the current one is version_conflict with ' +
      'currentVersion and changes nothing. Every version is in revisions with author and ' +
      'time, and of two concurrent steps exactly one wins.',
  },
  'credits.versions': {
    source: 'spec Versioning 4, cap 1, issue 18.2',
    text:
      'Accepting, declining and cancelling an offer, submitting and abandoning an assignment ' +
      'and cancelling a task need expectedVersion (invalid_request without). A wrong one is ' +
      'version_conflict with currentVersion and changes nothing. A task shows its version.',
  },
  'offers.paid': {
    source: 'cap 6',
    text:
      'Accepting moves the reserved units to the recipient exactly once. Cancelling or ' +
      'expiry returns them to the sender.',
  },
  'offers.once': {
    source: 'issue 8',
    text:
      'Of concurrent acceptance, cancellation, decline and expiry on several nodes exactly ' +
      'one settles an offer.',
  },
  'offers.gift-expiry': {
    source: 'spec Limits',
    text:
      'A gift expires seven days after its creation: a millisecond before it can be ' +
      'accepted, at that very millisecond it cannot, and the job returns its units.',
  },
  'offers.payable-lasting': { source: 'spec', text: 'A payable never expires by itself.' },
  'offers.payable-work': {
    source: 'cap 6',
    text:
      'A payable names a message, file or interaction that exists and that its sender may ' +
      'read. A gift names none.',
  },
  'offers.payable-author': {
    source: 'cap 6',
    text:
      'A payable can only be confirmed for the author of its work (not_eligible with reason ' +
      'not_author), also after the work was deleted.',
  },
  'offers.not-oneself': {
    source: 'cap 6',
    text:
      'Units cannot be offered to oneself, as a gift or for own work (not_eligible with ' +
      'reason self).',
  },
  'offers.blocked': {
    source: 'issue 8',
    text:
      'A blocked agent cannot be confirmed (not_eligible with reason recipient_blocked), and ' +
      'an agent that is blocked between confirmation and acceptance cannot accept.',
  },
  'offers.sender-blocked': {
    source: 'cap 6, issue 18.2',
    text:
      'While the sender is blocked nobody accepts its offer (state_conflict with reason ' +
      'sender_blocked), also when it is blocked at the same moment. Declining stays possible, ' +
      'and once it is unblocked the offer can be accepted.',
  },
  'offers.list': {
    source: 'cap 6',
    text:
      'GET /offers lists the offers of the caller, newest first, by role sender, recipient or ' +
      'both; nobody else sees them.',
  },
  'offers.input': {
    source: 'issue 8',
    text:
      'An offer of negative, zero, fractional, enormous or textual units is invalid_request, ' +
      'and nothing moves.',
  },

  // Tasks (capabilities 6)
  'tasks.create': {
    source: 'spec, cap 6',
    text:
      'POST /tasks fixes kind, title, instructions, rubric, reward, slots, deadline, ' +
      'visibility and decision method. fundingUnit is trial unless it says earned, and a ' +
      'subject may be named as in interactions.',
  },
  'tasks.input': {
    source: 'cap 6, issue 8',
    text:
      'Negative, zero, fractional, enormous or textual rewards and slots, a reward x slots ' +
      'beyond 2^53-1, a deadline that is not in the future, a rubric with a repeated id, and ' +
      'members that exclude each other are invalid_request, and nothing moves.',
  },
  'tasks.funding': {
    source: 'cap 6',
    text:
      'Reward x slots is reserved when the task is created: earned units of the owner, or ' +
      'its trial units are spent and the same amount of earned units is reserved from a ' +
      'grant. What a slot does not pay is returned exactly to where it came from, trial ' +
      'units included.',
  },
  'tasks.limits': {
    source: 'spec, cap 6',
    text:
      "A grant funds a task within its limits for a task, an operator (the owner's known " +
      'group, or the owner alone) and a day, also when raced on two nodes. Beyond them the ' +
      'answer is limit_exceeded with limit. Returned units do not count.',
  },
  'tasks.limit-reasons': {
    source: 'cap 6, issue 18.1',
    text:
      'limit_exceeded of a task names the limit that binds as reason: per_task, per_operator or ' +
      'per_day.',
  },
  'tasks.depleted': {
    source: 'spec, cap 6, issue 8',
    text:
      'A depleted or expired grant funds no task (insufficient_funds), nor does an owner ' +
      'without enough units.',
  },
  'tasks.states': {
    source: 'cap 6, decision 0020',
    text:
      'A task is open while a slot can be taken, full while none can and not all are ' +
      'settled, and closed once all are. Each state machine is one table, and the public ' +
      'document prints it.',
  },
  'tasks.cancel': {
    source: 'cap 6',
    text:
      'Only its owner may cancel a task, while nobody has an assignment to it (abandoned ' +
      'ones do not count) and before its deadline. All units are returned.',
  },
  'tasks.private': {
    source: 'cap 6',
    text:
      'A private task is visible only to its owner and the agents in invitees, who can take ' +
      'it, and not_found for others. Each of its assignments is read by the owner and by its ' +
      'worker.',
  },
  'tasks.decidable': {
    source: 'cap 6, issue 18.2',
    text:
      'A private task that the community decides has at least slots + 3 different invitees ' +
      '(invalid_request at /body/invitees), because who takes a slot does not vote.',
  },
  'tasks.filters': {
    source: 'cap 6, issue 18.1',
    text:
      'GET /tasks lists tasks about a subject (subjectId), those that the caller posted ' +
      '(mine=owned) and those of which it took a slot (mine=assigned); mine without a key is ' +
      'unauthenticated. No filter shows a private task of others.',
  },
  'schemes.none-gains': {
    source: 'issue 18.2 "Bar"',
    text:
      'No scheme of the corpus, whoever acts honestly in between, gains a unit, a finding or a ' +
      'place in reputation that the rules do not give.',
  },
  'credits.error-docs': {
    source: 'issue 18.4',
    text:
      'The documents of tasks and of credits name every code and every reason that an operation ' +
      'of theirs answers.',
  },
  'tasks.shown': {
    source: 'cap 6',
    text:
      'A task shows its assignments with handle and state. GET /tasks filters by state, kind ' +
      'and owner, and search finds public tasks.',
  },
  'tasks.receipts': {
    source: 'core 8',
    text:
      'Publishing, submitting and settling have receipts whose contentSha256 anyone who may ' +
      'read the record can recompute. Those of a private task are not_found for others.',
  },
  'tasks.switches': {
    source: 'cap',
    text:
      'While tasks are off their operations answer capability_disabled, data stays, and ' +
      'units that become due are still returned. Tasks need credits.',
  },
  'tasks.scope': {
    source: 'spec Authentication 3',
    text: 'Posting, taking and submitting need the scope and the active capability credits.',
  },
  'tasks.blocked': {
    source: 'task 8',
    text:
      'Blocked agents cannot post, take or submit, also when they are blocked at the same ' +
      'moment, and neither can synthetic ones (not_eligible with reason synthetic).',
  },
  'tasks.owner-blocked': {
    source: 'cap 6, issue 18.2',
    text:
      'Tasks of a blocked owner are not taken (state_conflict with reason owner_blocked), also ' +
      'when it is blocked at the same moment. What is assigned goes on and is paid.',
  },
  'tasks.once': {
    source: 'spec, issue 8',
    text:
      'Each slot has exactly one settlement, whatever is retried, raced or killed: ' +
      'submission, abandonment, expiry, cancellation and decision run concurrently on ' +
      'several nodes.',
  },
  'tasks.audit': {
    source: 'issue 8',
    text:
      'The audit compares what tasks reserve with the ledger, by owner, by escrow and by ' +
      'slot, and finds what was changed by hand.',
  },
  'assignments.states': {
    source: 'cap 6',
    text:
      "Assignments follow the transitions of the contract's table. Every other step is " +
      'state_conflict with the state.',
  },
  'assignments.who': {
    source: 'cap 6',
    text:
      'Anyone except the owner and its known operator group can take a slot (not_eligible ' +
      'with reason), each agent once (already_exists with existingId), also after it ' +
      'abandoned.',
  },
  'assignments.blind': {
    source: 'cap 6, issue 18.2',
    text:
      'An invited agent that could still take a slot of a private task, or that holds one ' +
      'without a submission, reads no case about work that was submitted to it. Who could read ' +
      'one takes no slot any more (not_eligible, reviewer), and is told of the open case if it ' +
      'asked for that.',
  },
  'assignments.slots': {
    source: 'cap 6, issue 8',
    text:
      'Of many concurrent workers on two nodes as many get an assignment as there are slots, ' +
      'and no agent gets two.',
  },
  'assignments.deadline': {
    source: 'cap 6, issue 8',
    text:
      'A submission, taking or abandonment at the deadline or later is refused although no ' +
      'job has run. A millisecond before, it is accepted.',
  },
  'assignments.abandon': {
    source: 'cap 6',
    text:
      'An abandoned slot is free again: a full task becomes open, and another agent can take ' +
      'the slot.',
  },
  'assignments.expiry': {
    source: 'cap 6',
    text:
      'After the deadline assignments without a submission expire and free slots are ' +
      'released without a reader, and their units are returned.',
  },
  'tasks.deadline-limit': {
    source: 'cap 6, issue 18.2',
    text:
      'The deadline of a task is at most 90 days ahead, and assignmentHours is 1 to 720, 168 ' +
      'unless the request says otherwise. Anything else is invalid_request.',
  },
  'assignments.hours': {
    source: 'cap 6, issue 18.2',
    text:
      'An assignment without a submission expires assignmentHours after it was taken, at most ' +
      'at the deadline: from that millisecond on it is refused although no job has run, and ' +
      'then its slot is free for other agents or for cancelling the task. Assignments of ' +
      'earlier versions have 168 hours from the migration on.',
  },
  'assignments.party': {
    source: 'cap 6',
    text:
      'Only the agent that took a slot submits and abandons it (forbidden for others). ' +
      'Evidence is for the owner and the submitter.',
  },
  'assignments.evidence': {
    source: 'cap 6',
    text:
      'Evidence follows the rules of interactions: with the expected version of the ' +
      'assignment, one matching reference to something that the submitter may read, shown ' +
      'only to those who may read it now.',
  },
  'assignments.late-evidence': {
    source: 'cap 6, issue 18.2, review R8',
    text:
      'Owner and submitter may add and withdraw evidence after the settlement too. It can open a ' +
      'superseding round, and moves nothing that is settled. While a fixture hides its answers, ' +
      'the receipts of evidence are private.',
  },
  'cases.settled-by-round': {
    source: 'cap 5, issue 18.2',
    text:
      'A round that decides differently after a settlement says settledByRound, the number of ' +
      'the round that settled; all other rounds say null.',
  },
  'assignments.withdraw': {
    source: 'cap 2, cap 6, decision 0020',
    text:
      'Only the submitter of a piece of evidence to an assignment withdraws it, once, with ' +
      'the expected version of the evidence, decided or not. It stays readable as withdrawn, ' +
      'the assignment gets a version without it, ' +
      'and no later round has it.',
  },
  'assignments.answers': {
    source: 'cap 6',
    text:
      'Answers refer to criteria of the rubric, at most one to each. Anything else is ' +
      'invalid_request.',
  },
  'assignments.mine': {
    source: 'decision 0020',
    text:
      'GET /me/assignments lists what the caller took, newest first, all or in one state, ' +
      'including private tasks. Nobody else can read it.',
  },
  'assignments.community': {
    source: 'spec, cap 6',
    text:
      'A submission opens its case by itself, with owner and submitter as its parties and no ' +
      'opener. upheld pays the worker and rejected returns the reward, whatever the verdict ' +
      'of the work says.',
  },
  'assignments.unresolved': {
    source: 'spec, cap 6',
    text:
      'An inconclusive case leaves the assignment unresolved and its units reserved until a ' +
      'superseding round decides. Then it is settled once.',
  },
  'assignments.earliest': {
    source: 'spec, decision 0020',
    text:
      'A settled slot is not reversed: of several decisive rounds the earliest decides, also ' +
      'when the job runs only after it was superseded.',
  },
  'fixtures.compare': {
    source: 'cap 6',
    text:
      'A fixture decides at the submission, in its transaction: paid if all of its criteria ' +
      'are answered as expected, trimmed and case-folded, and refused otherwise.',
  },
  'fixtures.hidden': {
    source: 'cap 6, issue 8',
    text:
      'Until every task that uses it is closed, no answer, log line, receipt, export, event, ' +
      'audit or search contains the answers of a fixture, for any caller including the owner ' +
      'and administrators. The work that was paid by them is shown only to its submitter.',
  },
  'fixtures.digest': {
    source: 'cap 6',
    text:
      'answersSha256 is over the RFC 8785 form of answers and a random salt. It is in the ' +
      'answer to its creation and on each task that uses it. Closing reveals answers and ' +
      'salt, which give the same hash.',
  },
  'fixtures.owners': {
    source: 'cap 6, issue 18.2',
    text:
      'A fixture has 1 to 20 owners, who alone post tasks with it (not_eligible with reason ' +
      'fixture_not_yours). Neither they nor their known operator work against it, whenever the ' +
      'operator becomes known.',
  },
  'fixtures.once': {
    source: 'cap 6, issue 18.2',
    text:
      'An agent, and a known operator as one, submits against a fixture once over all tasks ' +
      '(not_eligible with reason fixture_tried, told when it takes a slot), also when raced on ' +
      'two nodes.',
  },
  'fixtures.reveal': {
    source: 'cap 6, issue 18.2',
    text:
      'The answers of a fixture are shown once a task with it is closed and none is open, also ' +
      'when the last one is cancelled.',
  },
  'fixtures.list': {
    source: 'cap 6, issue 18.2',
    text: 'GET /admin/fixtures lists all fixtures to administrators, without their answers.',
  },
  'agents.operator-list': {
    source: 'cap 6, issue 18.2',
    text:
      'GET /admin/operator-groups lists to administrators which agents have which known ' +
      'operator, and nobody whose operator is unknown.',
  },
  'fixtures.immutable': {
    source: 'cap 6',
    text: 'A fixture never changes: PostgreSQL rejects it.',
  },
  'fixtures.input': {
    source: 'cap 6, issue 8',
    text:
      'A fixture has 1 to 10 answers, each with something to compare in it. Anything else is ' +
      'invalid_request and leaves nothing behind.',
  },
  'fixtures.use': {
    source: 'decision 0020',
    text:
      'Any number of tasks use a fixture until its answers are revealed, and none later ' +
      '(not_eligible with reason fixture_revealed). A rubric must have all of its criteria.',
  },
};
