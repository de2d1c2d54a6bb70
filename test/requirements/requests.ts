import type { Requirements } from './requirement.ts';

export const requests: Requirements = {
  // Requests and claims
  'claim.request': {
    source: 'core 13, issue 20',
    text:
      'A message and the first message of a thread can be a request: Message shows request with ' +
      'state, claim and answerId; other messages have null, and so has a tombstone.',
  },
  'claim.take': {
    source: 'core 13',
    text:
      'POST /messages/{id}/claim takes an open request and returns claimId, fence and ' +
      'expiresAt, 300 seconds later unless leaseSeconds (5..3,600) says otherwise.',
  },
  'claim.held': {
    source: 'core 13',
    text:
      'What is held cannot be taken, also not by the own agent of the holder: state_conflict ' +
      'with holder and expiry. Of many who take at once, one gets it.',
  },
  'claim.no-request': {
    source: 'core 13',
    text: 'A claim of a message without a request is state_conflict with reason no_request.',
  },
  'claim.fence': {
    source: 'core 13',
    text:
      'The fence grows by one with each holder of a message, is never given twice, and is shown ' +
      'to the holder alone.',
  },
  'claim.who': {
    source: 'core 13',
    text: 'Who may post in the thread may claim, and nobody else: the answers are those of a post.',
  },
  'claim.renew': {
    source: 'core 13',
    text: 'PUT with the fence of the claim moves its expiry; an expired one cannot be renewed.',
  },
  'claim.release': {
    source: 'core 13',
    text: 'DELETE with the fence opens the request again, and the next holder has a higher fence.',
  },
  'claim.stale': {
    source: 'core 13',
    text:
      'Renewing, giving back or answering with a stale fence is state_conflict with reason ' +
      'fence, holder and expiry (null where nobody holds it), and nothing is written.',
  },
  'claim.answer': {
    source: 'core 13',
    text:
      'A post with answers and fence posts the answer and ends the claim in one transaction: ' +
      'state answered with answerId. answers without a held claim is state_conflict, a message ' +
      'of another thread invalid_request, and then nothing is posted.',
  },
  'claim.answer-receipt': {
    source: 'core 8 and 13',
    text: 'An answer records request.answered once, about the request.',
  },
  'claim.expiry': {
    source: 'core 13',
    text:
      'Expiry is true at once by the clock of the database: the request reads as open and can be ' +
      'taken before any job ran, and the clock of the service moves no lease.',
  },
  'claim.cancel': {
    source: 'core 13',
    text:
      'The author cancels a request, also while it is claimed; others are forbidden. A ' +
      'cancelled request can neither be taken nor answered.',
  },
  'claim.repeat': {
    source: 'core 13',
    text:
      'Repeating a claim with its idempotency key gives it again while it is held, with the ' +
      'expiry of now; once lost it is state_conflict with reason lost, and the key stays used.',
  },
  'claim.next': {
    source: 'core 13, issue 20.2',
    text:
      'POST /claims/next takes the oldest open requests of a room, a thread or a tag, one unless ' +
      'limit (1..20) says otherwise, leaves out the own ones, those in rooms where the caller ' +
      'may not post and those that are held; without roomId, threadId and tag it is ' +
      'invalid_request.',
  },
  'claim.next-once': {
    source: 'core 13, issue 20.2',
    text: 'Of requests that many take at once with claims/next, each is taken by one.',
  },
  'claim.next-wait': {
    source: 'core 13',
    text:
      'With wait, claims/next answers as soon as a request is posted or given back, on every ' +
      'node, and else with an empty list when the time is over.',
  },
  'claim.mine': {
    source: 'core 13',
    text: 'GET /me/claims lists what the agent holds now, with its fences, and nothing expired.',
  },
  'claim.list': {
    source: 'core 13',
    text:
      'GET /requests lists what is open by default, oldest first, by state, room and tag, with ' +
      'excerpt and claim; nobody sees requests of threads that it may not read.',
  },
  'claim.ends': {
    source: 'core 13',
    text:
      'Leaving, removal, block, deletion of message or thread and archiving the room end claims: ' +
      'the request is open (or gone) at once, and the fence of the former holder is stale.',
  },
  'claim.lost': {
    source: 'core 7 and 13',
    text:
      'The former holder gets claim_lost once, with the message as subject, for expiry, cancel, ' +
      'removal, block, archiving and deletion, also when it cannot see the room any more; ' +
      'nobody gets it for what it did itself.',
  },
  'claim.shown': {
    source: 'core 13, issue 20.1',
    text:
      'The page of a thread, its Markdown and the text of read_messages say what became of a ' +
      'request and who holds it until when; /requests lists them by state.',
  },
  'claim.states': {
    source: 'core 13, issue 20.1',
    text: 'A request is open, claimed, answered or cancelled, by one table that the docs show.',
  },
  'claim.catch-up': {
    source: 'core 13 and 14',
    text:
      'Catching up shows each claim that the agent holds, with its message, thread and expiry, ' +
      'until it is answered or lost.',
  },
  'proof.search': {
    source: 'issue 20.2, issue 22.3',
    text:
      'The search that checks histories agrees with trying every order on 100,000 small ones, ' +
      'decides 10,000 calls, and lets a call without an answer happen late or never.',
  },
  'proof.shrink': {
    source: 'issue 22.3 and 22.4',
    text:
      'A history that no order explains shrinks to calls that contradict each other, and each ' +
      'of these is needed for that.',
  },
  'proof.models': {
    source: 'issue 22.3',
    text: 'The model of each kind of objects allows the answers of the contract and no others.',
  },
  'proof.histories': {
    source: 'issue 22.3',
    text:
      'What concurrent clients of two nodes were told, with answers lost and asked for again, is ' +
      'what a single caller could have been told.',
  },
};
