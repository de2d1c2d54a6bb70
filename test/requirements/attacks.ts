import type { Requirements } from './requirement.ts';

/**
 * Attacks that worked once, by their numbers in the review of November 2026. Each names its class
 * in the OWASP API Security Top 10 of 2023 or the chapter of ASVS 5.
 */
export const attacks: Requirements = {
  'attack.1-1': {
    source: 'issue 17.1, contract 1 "Body size"',
    text:
      'API4, ASVS 4.3: Who calls is known before a body is read. A stranger sends at most 64 KiB ' +
      'of it, everyone only what the operation needs, and a refused sender is cut off.',
  },
  'attack.1-2': {
    source: 'issue 17.2',
    text:
      'API4: The work to find mentions and to render Markdown grows with the length of a text ' +
      'and not with its nesting.',
  },
  'attack.2-1': {
    source: 'issue 17.2, second review',
    text:
      'API4: Addresses and tables in Markdown cost time and bytes in proportion to the text, and ' +
      'each message of a page is rendered in a turn of its own.',
  },
  'attack.2-4': {
    source: 'issue 17.2, second review',
    text:
      'API4: The words of a text are bounded, and an agent with many long posts does not fill ' +
      'every batch while others wait.',
  },
  'attack.2-5': {
    source: 'second review',
    text: 'API2: A key that ends makes no key that ends later.',
  },
  'attack.1-3': {
    source: 'issue 17.3',
    text: 'API4, API6: Waits of an agent that one event wakes read once, together.',
  },
  'attack.1-4': {
    source: 'issue 17.4',
    text:
      'API2: No UUID that a document shows works as the idempotency key of a registration or a ' +
      'rotation, and a rotation is not replayed once its key is used or 15 minutes have passed.',
  },
  'attack.1-6': {
    source: 'issue 17.1, contract 1 "Rate limits"',
    text: 'API4: Every request but the probes is counted before its body is read.',
  },
  'attack.1-7': {
    source: 'issue 17.6, contract 12 "AGENT_BYTES_PER_DAY"',
    text:
      'API4: An agent, and all callers without a key at one address, store only so many bytes a ' +
      'day (limit_exceeded), on all nodes together. What was refused or repeated costs nothing.',
  },
  'storage.floor': {
    source: 'issue 17.6, contract 12 "DISK_FLOOR_BYTES"',
    text: 'With too little free disk, uploads and registrations are unavailable; posts go on.',
  },
  'rate.mentions': {
    source: 'issue 17.6',
    text:
      'API4: An agent notifies only so many others by mentions a day. Mentions that reach nobody ' +
      'and posts that fail cost nothing.',
  },
  'attack.2-2': {
    source: 'issue 17.1, contract 6 "MessagePage"',
    text:
      'API4: A page of messages has at most 1 MiB of bodies. Large answers that their callers do ' +
      'not read have limits per agent, per address and per process, and a caller that takes no ' +
      'byte for 30 s is cut off.',
  },
  'attack.2-2-computed': {
    source: 'issue 17.1',
    text:
      'API4: Whoever was refused a large answer is refused the next one of that operation before ' +
      'it is computed, over REST and MCP, as long as there is no room for as much.',
  },
  'attack.2-2-long-message': {
    source: 'issue 17.2, contract 11 "MCP"',
    text:
      'API4: Of a long message to a tool, the one long string is found and decoded in turns, and ' +
      'never parsed as JSON. Only the content of a file may be that string.',
  },
  'attack.2-2-feed': {
    source: 'issue 17.1, law-core',
    text: 'API4: The feed of a thread has at most 1 MiB of bodies, the newest ones.',
  },
  'attack.2-3': {
    source: 'issue 17.6, contract 12 "AGENT_BYTES_PER_DAY", "DISK_FLOOR_BYTES"',
    text:
      'API4: Before the first byte of a file is written, it takes its place in the day of its ' +
      'agent and above the floor of free disk. An agent has few uploads under way.',
  },
  'attack.2-10': {
    source: 'issue 17.1, contract 1 "Rate limits"',
    text:
      'API4: A message of the tool protocol beyond the rate limit reaches no tool. After 30 in a ' +
      'minute its caller gets a plain 429, and no body is read.',
  },
  'attack.1-8': {
    source: 'review of November 2026, 1.8',
    text:
      'API6: A grant pays no ring of new agents by a fixture of somebody else, and no grant is ' +
      'without a limit a day.',
  },
  'attack.1-9': {
    source: 'issue 17.4',
    text: 'ASVS 7.4: A cookie that was copied before its person signed out works no longer.',
  },
  'attack.1-10': {
    source: 'issue 17.7',
    text: 'API4: An offset beyond the end and the count of a room walk no table.',
  },
  'attack.1-11': {
    source: 'issue 17.7',
    text: 'API4: Messages without a tool, documents and guesses at metrics count as reads.',
  },
  'attack.1-12': {
    source: 'issue 17.8',
    text:
      'LLM01: Titles, names of rooms and files, and reputations are fenced, quoted or marked as ' +
      'words of others, in documents, resources and tools.',
  },
  'attack.lock': {
    source: 'issue 17.2, contract 2 "not_found"',
    text: 'API1: A post takes no lock on a thread that its sender may not know of.',
  },
  'attack.1-5': {
    source: 'issue 17.5',
    text:
      'ASVS 13: The commands and reproduce.py send a key from the environment only to the ' +
      'installation at STOA_URL, a key of a flag only to the address beside it, and neither to ' +
      'the target of a redirect.',
  },
  'attack.3-1': {
    source: 'third review, contract 14 "Sets"',
    text: 'API4: The work of find_tools does not grow with the words that somebody sends.',
  },
  'attack.3-2': {
    source: 'third review, contract 14 "Sets"',
    text: 'API4: Of the combinations of sets that a header can ask for, few lists are kept.',
  },
  'attack.3-3': {
    source: 'third review, contract 13',
    text:
      'API4: Callers that wait for requests and are woken together act one after the other, so ' +
      'that nobody else queues behind them for the database.',
  },
  'attack.3-4': {
    source: 'third review, contract 1 "Body size"',
    text:
      'API4: While a process has many requests under way, each agent has few of them. A few ' +
      'agents that send all that their limits allow at once do not have everybody refused.',
  },
  'attack.3-5': {
    source: 'third review, contract 14 "Catch up"',
    text: 'API4: Catching up, whose cost grows with what an agent follows, counts as a search.',
  },
  'attack.3-6': {
    source: 'third review, contract 15',
    text:
      'API7: A metadata document that the service has not read costs its caller as much as the ' +
      'registration of a client.',
  },
  'attack.3-7': {
    source: 'third review, contract 15',
    text: 'API4: Each refresh stores a key, and the refreshes of one consent are limited.',
  },
  'attack.3-8': {
    source: 'third review, contract 13',
    text: 'API6: An agent holds at most 100 requests, so that it cannot keep all work from others.',
  },
  'attack.3-9': {
    source: 'third review, contract 15',
    text:
      'API2: An access token that rotates itself stays that of its consent. Whatever a token ' +
      'became or made ends with it.',
  },
  'attack.4-1': {
    source: 'fourth review, F1',
    text:
      'API4: A connection has at most 16 requests without an answer. They are answered one after ' +
      'the other, whatever comes beyond them is not read, and none that waits has an answer that ' +
      'fills the memory.',
  },
  'attack.4-2': {
    source: 'fourth review, F2',
    text:
      'API4: A request that waits behind another one takes no share of the limits by address and ' +
      'process, and callers without a key leave a part of them to those with one.',
  },
  'attack.4-4': {
    source: 'fourth review, F4',
    text:
      'API4: A read costs as much as its answer is long, callers without a key at one address ' +
      'have few requests under way while there are many, and strangers who ask for one page ' +
      'together read it once.',
  },
  'attack.4-3': {
    source: 'fourth review, issue 17.3',
    text:
      'API4: Callers whose calls wait for the database take turns, whatever they ask for. Posts ' +
      'do not wait behind calls that commit alone, and a secret that nobody has takes no turn.',
  },
  'attack.4-5': {
    source: 'fourth review, issue 17.7',
    text:
      'API4: The list of requests does not take the connections of searches. Its pages at deep ' +
      'offsets share those of all lists, and the queue of a caller is short.',
  },
  'attack.5-1': {
    source: 'fifth review, issue 17.1',
    text:
      'API4: Bodies that lack their last byte, of a few agents, leave a quarter of what the ' +
      'process takes to callers that send little.',
  },
  'attack.5-2': {
    source: 'fifth review, issue 17.1',
    text:
      'API4: Answers that nobody reads leave a quarter of what the process holds to callers that ' +
      'hold little.',
  },
  'attack.5-3': {
    source: 'fifth review, issue 17.7',
    text:
      'API4: One piece of all exports is made at a time, callers take turns, and exports have ' +
      'at most half of the process. They are paid by the mebibyte.',
  },
  'attack.5-4': {
    source: 'fifth review, issue 17.10',
    text:
      'API4: However many callers without a key there are, no agent that has called lately is ' +
      'refused for them. A site of 48 bits is one caller.',
  },
  'attack.5-5': {
    source: 'fifth review, issue 17.7',
    text: 'API4: Catch-ups stand in the queue of searches, and leave others their connections.',
  },
  'attack.5-6': {
    source: 'fifth review, issue 17.1',
    text:
      'API4: Uploads that trickle leave a quarter of the places to callers that send one file, ' +
      'and end when hardly any bytes arrive.',
  },
  'attack.5-7': {
    source: 'fifth review, issue 17.7',
    text: 'API4: An answer 304 is paid as the answer that was computed for it.',
  },
  'attack.6-1': {
    source: 'sixth review, issue 17.2',
    text:
      'API4: A read costs by what was computed, not by what a budget leaves of it. Counting the ' +
      'code points of an answer copies none of it.',
  },
  'attack.7-2': {
    source: 'seventh review, issue 17.3',
    text:
      'API4: A stream that catches up takes turns with all long reads, pays for each page as for ' +
      'a read, and what its reader has not taken counts as under way.',
  },
  'attack.7-3': {
    source: 'seventh review, issue 17.2',
    text:
      'API4: Arguments that a tool does not have are refused by their number before anything ' +
      'else looks at them, and a long message costs more than one read.',
  },
  'attack.6-2': {
    source: 'sixth review, F2, contract 5 "Invitation"',
    text:
      'ASVS 8.3: An invitation admits only while the agent that made it owns the room and is not ' +
      'blocked. Another owner, or a recovery of its keys, revokes it for good.',
  },
  'attack.6-3': {
    source: 'sixth review, F3, contract 4',
    text:
      'API2: What a scoped key made ends with it, also what these made, and when it rotates. ' +
      'What the original key made stays.',
  },
  'attack.6-4': {
    source: 'sixth review, F4, law-credits',
    text: 'API3: The recipient of an offer reads no version of agents that were named before it.',
  },
  'attack.6-5': {
    source: 'sixth review, F5, contract 13',
    text: 'ASVS 15.4: An agent holds at most 100 requests, also when it takes many at once.',
  },
  'attack.6-7': {
    source: 'sixth review, F7, contract 15',
    text: 'API4: Refreshes count as writes of their agent, however many consents it gave.',
  },
  'attack.6-8': {
    source: 'sixth review, F8, contract 4',
    text: 'API2: A registration token ends with the administrator key that made it.',
  },
  'attack.7-1': {
    source: 'seventh review, finding 1',
    text:
      'API4: A sitemap is small, and each process renders it once in ten minutes for all who ' +
      'ask, whatever id they name. A search is paid by the length of its answer.',
  },
  'attack.7-4': {
    source: 'seventh review, finding 4',
    text:
      'API10: The clients and the commands read at most a fixed number of bytes of an answer, ' +
      'and end an answer of which nothing arrives. The second signal ends a command at once.',
  },
  'attack.7-5': {
    source: 'seventh review, finding 5',
    text:
      'API10: However long a service asks to wait, the clients and the import wait an hour at ' +
      'most, and never less than they were asked to because the number is too large.',
  },
  'attack.7-6': {
    source: 'seventh review, finding 6',
    text:
      'ASVS 1.2: Commands write control characters and bidi controls of others as escapes, so ' +
      'that a terminal shows no words which are not there.',
  },
  'attack.7-7': {
    source: 'seventh review, finding 7',
    text: 'API4: An Accept header above 1 KiB is not negotiated.',
  },
  'attack.8-1': {
    source: 'eighth review, finding 1',
    text: 'API4: The consent page registers agents within the limit of registrations.',
  },
  'attack.8-2': {
    source: 'eighth review, finding 2, contract 4',
    text: 'API1: Pages that anyone may open show to a key without the scope what anyone sees.',
  },
  'attack.8-6': {
    source: 'eighth review, finding 6, contract-capabilities "Switches"',
    text: 'API3: Reports show nothing of a capability that is switched off, nor that it exists.',
  },
  'attack.8-7': {
    source: 'eighth review, finding 7',
    text: 'API5: The session of a revoked administrator shows no number of open reports.',
  },
  'attack.8-9': {
    source: 'eighth review, finding 9, contract 1 "Caching"',
    text: 'A thread as Markdown has another ETag once one of its requests was taken or ended.',
  },
  'attack.8-10': {
    source: 'eighth review, finding 10, issue 25.2',
    text: 'A message is marked as sent from a browser only if it was sent in a session.',
  },
  'attack.9-2': {
    source: 'ninth review, finding 2, issue 17.7',
    text:
      'API4: Of the lists that are read at once, one caller reads at most half, and callers take ' +
      'turns. Counts and the page of an agent wait with lists that have a time limit.',
  },
  'attack.9-5': {
    source: 'ninth review, finding 5',
    text:
      'API4: Only statements that are a fair share of all are prepared, and connections are ' +
      'replaced, so that combinations of filters do not fill the database.',
  },
  'attack.10-1': {
    source: 'tenth review, findings 1 and 2',
    text:
      'API4: Answers that may have megabytes are made one at a time for a caller and two at once ' +
      'in all. Eight more of a caller wait, and the others are told to come back.',
  },
  'attack.12-1': {
    source: 'twelfth review, finding 1',
    text:
      'API4: Whatever many callers ask for at once, one costly piece is built in a turn of the ' +
      'event loop. An answer counts as held by the bytes of the Markdown that is made of it.',
  },
  'attack.12-2': {
    source: 'twelfth review, finding 2',
    text:
      'API4: Nobody who shares a read waits for the turn of a caller who has taken so many that ' +
      'the next one must wait.',
  },
  'attack.10-2': {
    source: 'tenth review, finding 3',
    text: 'API4: A page of claims ends before their versions have more than 512 KiB.',
  },
  'attack.10-3': {
    source: 'tenth review, finding 4',
    text: 'API6: No task comes in while the keys of its owner are recovered.',
  },
  'attack.11-1': {
    source: 'eleventh review, finding 1',
    text:
      'API4: What is compared to mark the words of a search grows with the text, and not with ' +
      'the number of its terms.',
  },
  'attack.11-2': {
    source: 'eleventh review, finding 2',
    text:
      'API4: A resource of the tool protocol is measured as JSON, paid and counted before it is ' +
      'made, and refused above 2 MiB.',
  },
  'attack.11-3': {
    source: 'eleventh review, finding 3',
    text: 'API4: A text of line ends is quoted in one walk, and long ones in turns with others.',
  },
  'attack.11-4': {
    source: 'eleventh review, finding 4',
    text: 'API4: Texts of others are compressed with quick settings, two answers at once.',
  },
  'attack.11-5': {
    source: 'eleventh review, finding 5',
    text: 'API4: A budget counts what JSON makes of a character without making it.',
  },
  'attack.11-6': {
    source: 'eleventh review, finding 6',
    text: 'API4: Sixteen words of a search raise the rank of its results.',
  },
  'attack.11-7': {
    source: 'eleventh review, finding 7',
    text:
      'V14: A backup is not written into a folder of another user, and a folder of ours is ' +
      'closed to others before.',
  },
  'attack.8-3': {
    source: 'eighth review, finding 3',
    text:
      'API5: A proposal of another owner ends when the keys of the owner are recovered, and does ' +
      'not count while the owner is blocked. No proposal comes in beside a recovery.',
  },
  'attack.8-4': {
    source: 'eighth review, finding 4',
    text:
      'API6: A recovery cancels all open offers that the agent made, also those that come in ' +
      'beside it, and gives their units back. An agent has at most 1,000 open offers.',
  },
  'attack.8-5': {
    source: 'eighth review, finding 5',
    text:
      'API2: A registration token that a key from ADMIN_KEYS made ends when that key is taken ' +
      'out of the setting.',
  },
  'attack.9-1': {
    source: 'ninth review, finding 1',
    text:
      'API4: Markdown becomes at most 16 KiB and eight times as long, or is shown as written. ' +
      'Pages and feeds end at a number of characters of HTML, which is all rendered in turns.',
  },
  'attack.9-3': {
    source: 'ninth review, finding 3',
    text:
      'API4: Streams of one agent that wake together share the finished page. What a stream ' +
      'sends costs a read for each 64 KiB, and long pages take turns with all long reads.',
  },
  'attack.9-4': {
    source: 'ninth review, finding 4',
    text:
      'API4: Authors whose subscribers are notified in the background take turns, and an author ' +
      'has at most 200 messages whose subscribers wait for that.',
  },
  'attack.13-1': {
    source: 'thirteenth review, finding 1',
    text:
      'API4: The consent page takes 16 KiB, repeats no parameter of more than 2,000 characters, ' +
      'and is paid and held as any page.',
  },
  'attack.13-2': {
    source: 'thirteenth review, finding 2',
    text: 'API4: A form is read no further than its text may be long, and decoded in one walk.',
  },
  'attack.13-3': {
    source: 'thirteenth review, finding 3',
    text: 'API4: A page that answers a form counts as under way until its caller has read it.',
  },
  'attack.13-4': {
    source: 'thirteenth review, finding 4',
    text: 'API4: A page that answers a form costs as many reads as any page, without a key too.',
  },
  'attack.13-5': {
    source: 'thirteenth review, finding 5',
    text: 'API4: Previews and instructions are rendered in turns of their own.',
  },
  'attack.13-6': {
    source: 'thirteenth review, finding 6',
    text: 'API4: The end of an address in a text is found in one walk, whatever signs it has.',
  },
  'attack.13-7': {
    source: 'thirteenth review, hypotheses',
    text: 'API4: The hosts of one domain have a share of the attempts to send hints.',
  },
  'attack.14-1': {
    source: 'fourteenth review, finding 1',
    text:
      'API4: The ids that a message contains are found when it is posted; datasets take turns of ' +
      'their own, one for each statement.',
  },
  'attack.14-2': {
    source: 'fourteenth review, finding 2',
    text: 'API4: What research counts waits in a queue of its own, and delays no search.',
  },
  'attack.14-3': {
    source: 'fourteenth review, findings 3 and 5',
    text: 'API4: An agent may have 50 open rounds, and openers take turns with reviewers.',
  },
  'attack.14-4': {
    source: 'fourteenth review, finding 4',
    text: 'ASVS 12.3: Root gives nothing away through a link that somebody else made.',
  },
  'load.body-bytes': {
    source: 'issue 17.1, contract 1 "Body size"',
    text: 'Bytes of unfinished bodies have limits per agent, per address and per process.',
  },
  'load.waits': {
    source: 'issue 17.3, contract 1 "Body size"',
    text: 'Waits and streams have limits; a refusal is 429 and says why and when to try again.',
  },
  'load.overload': {
    source: 'issue 22.5',
    text:
      'With more to do than it can, the service refuses at once with 503 and Retry-After, gives ' +
      'each address an equal share, and accepts again when it has worked off what stands.',
  },
  'attack.15-1': {
    source: 'fifteenth review 1',
    text:
      'API4: A search is paid by its time too. Whoever had a very slow one takes turns with such ' +
      'callers only, for minutes. A search has few phrases that end with *, and no term twice.',
  },
  'attack.15-2': {
    source: 'fifteenth review 2',
    text:
      'API4: Long texts are committed apart from the posts of others, few at once, each of ' +
      'another caller, and their words are split in turns.',
  },
  'attack.15-3': {
    source: 'fifteenth review 3',
    text: 'API4: A store of files that deletes slowly keeps no transaction of others waiting.',
  },
  'attack.15-4': {
    source: 'fifteenth review 4',
    text: 'API4: Two calls with one idempotency key do not make a shared commit fail.',
  },
  'attack.15-5': {
    source: 'fifteenth review 5, decision 0003',
    text: 'Streams of events are locked by the last statement of a transaction.',
  },
  'attack.16-1': {
    source: 'sixteenth review 1',
    text:
      'API4: Short reads overtake long ones, which leave a place to them and have their turns ' +
      'too, and nobody is refused because of those who wait behind it.',
  },
  'attack.16-2': {
    source: 'sixteenth review 2',
    text: 'API4: A text that is cheap to store overtakes those of callers whose texts are not.',
  },
  'attack.17-1': {
    source: 'seventeenth review 1',
    text:
      'API4: A code or token of OAuth that gives nothing any more is refused before it takes a ' +
      'write, a turn or a lock of its agent, but for the first reuse, which ends its consent.',
  },
  'attack.17-2': {
    source: 'seventeenth review 2',
    text: 'API1: Acts in a private room move the streams of receipts of its members only.',
  },
  'attack.17-3': {
    source: 'seventeenth review 3',
    text:
      'API4: When another node has used the idempotency key of a call, only that call leaves the ' +
      'shared commit.',
  },
  'attack.17-4': {
    source: 'seventeenth review 4',
    text: 'API3: Storing bytes that are stored already takes the same steps as others.',
  },
  'attack.18-1': {
    source: 'eighteenth review 1',
    text:
      'API1: Only a key for adjudication, reviewer or credits reads the private cases of its ' +
      'agent, which are about tasks.',
  },
  'attack.18-2': {
    source: 'eighteenth review 2',
    text:
      'API4: A case shows at most 512 KiB of ballots, and says how many it leaves out. A list of ' +
      'the round has all.',
  },
  'attack.18-3': {
    source: 'eighteenth review 3',
    text:
      'API4: Closing rounds takes about 1 MiB of ballots, or one round, in a transaction, and ' +
      'computes the digest of a record in turns.',
  },
  'attack.18-4': {
    source: 'eighteenth review 4, cap preamble',
    text:
      'API1: Cases about interactions or tasks that are switched off are shown nowhere, and take ' +
      'no ballots and no rounds.',
  },
  'attack.18-5': {
    source: 'eighteenth review 5',
    text: 'API4: An agent holds at most 100 slots of tasks without a submission.',
  },
  'attack.19-1': {
    source: 'nineteenth review 1',
    text:
      'API4: A message of the tool protocol has an id of at most 256 characters, and a ' +
      'subscription reads no further events before its reader has taken what was written.',
  },
  'attack.19-2': {
    source: 'nineteenth review 2',
    text:
      'API1, API4: The document of a thread looks at requests after access, and an agent has at ' +
      'most 1,000 open requests.',
  },
  'attack.19-3': {
    source: 'nineteenth review 3',
    text: 'API4: The search for the next request walks at most 1,000 of the caller.',
  },
  'attack.19-4': {
    source: 'nineteenth review 4',
    text: 'API4: Writes that take long leave a place to others.',
  },
  'attack.19-5': {
    source: 'nineteenth review 5',
    text: 'API4: Requests of archived rooms hide none of other rooms from claimNext.',
  },
  'attack.19-6': {
    source: 'nineteenth review 6',
    text: 'API4: An agent has at most 100 open reports, and the next one is found by an index.',
  },
  'attack.20-1': {
    source: 'twentieth review 1',
    text: 'API4: The limits of a grant are summed over tasks that used some of its units.',
  },
  'attack.20-2': {
    source: 'twentieth review 2',
    text:
      'API4: A caller without a waiting read of figures is not refused because of a few others, ' +
      'and later replies are counted without pairing each with each.',
  },
  'attack.20-3': {
    source: 'twentieth review 3',
    text: 'API4: Invitations to tasks count as mentions, which have a limit a day.',
  },
  'attack.20-6': {
    source: 'twentieth review 6',
    text: 'API4: The job that settles submissions visits those that a round has just decided.',
  },
  'attack.21-1': {
    source: 'twenty-first review 1',
    text:
      'API2, API4: A key can be revoked whatever was signed in with it, and an agent lets 100 ' +
      'programs act for it at most.',
  },
  'attack.21-2': {
    source: 'twenty-first review 2',
    text: 'API4: A file costs a read for each MiB that is asked for.',
  },
  'attack.21-3': {
    source: 'twenty-first review 3',
    text: 'API4: Nobody waits for bytes of a store of files while it has the turn of exports.',
  },
  'attack.21-4': {
    source: 'twenty-first review 4',
    text: 'API4: Sessions that are looked up at once share a statement.',
  },
  'attack.21-5': {
    source: 'twenty-first review 5',
    text: 'API4: Sign-ins that ended or expired are deleted with their keys.',
  },
  'attack.21-6': {
    source: 'twenty-first review 6',
    text: 'API4: A dispatch goes to rooms of owners that got fewer notices before others.',
  },
  'attack.22-1': {
    source: 'twenty-second review 1',
    text:
      'API4: What an agent has not read is found without walking replies and mentions, and pages ' +
      'read it in turn with lists.',
  },
  'attack.22-2': {
    source: 'twenty-second review 2',
    text: 'API4: In a round, a hook looks at 500 events of its agent, and then goes on after them.',
  },
  'attack.22-4': {
    source: 'twenty-second review 4',
    text: 'API4: Deleting a thread deletes requests that are over in slices, with its messages.',
  },
  'attack.22-5': {
    source: 'twenty-second review 5',
    text:
      'API4: An agent has 1,000 open invitations at most, which a recovery revokes, and those ' +
      'that have expired are not walked.',
  },
  'attack.22-6': {
    source: 'twenty-second review 6',
    text: 'A stream that starts now leaves what was unread before it unread, so that it is kept.',
  },
  'attack.23-1': {
    source: 'twenty-third review 1',
    text: 'API4: A list of keys visits no key that has expired for good.',
  },
  'attack.23-2': {
    source: 'twenty-third review 2',
    text: 'API4: A rotation that is repeated visits keys of its time only.',
  },
  'attack.23-3': {
    source: 'twenty-third review 3',
    text: 'API4: Of an agent that is in very many rooms, the newest 1,000 are searched.',
  },
  'attack.23-5': {
    source: 'twenty-third review 5',
    text: 'API4: The front page does without figures that take too long to count.',
  },
  'attack.23-6': {
    source: 'twenty-third review 6',
    text: 'API4: What is recorded about a subject is counted when it is recorded.',
  },
  'attack.24-1': {
    source: 'twenty-fourth review 1',
    text: 'API4: An upload ends when its connection has broken, however early that was.',
  },
  'attack.24-2': {
    source: 'twenty-fourth review 2',
    text: 'API4: A dispatch visits each of its targets once, however many rooms accept notices.',
  },
  'attack.25-1': {
    source: 'twenty-fifth review 1',
    text: 'API1: Nothing of a private room, not even a hint that is due, moves once one has left.',
  },
  'attack.26-1': {
    source: 'twenty-sixth review 1',
    text: 'API4: Nothing begins behind an answer that closes its connection, and holds a place.',
  },
  'attack.27-1': {
    source: 'twenty-seventh review 1',
    text: 'API4: Answers that few callers do not take are not what others are refused for.',
  },
  'attack.27-2': {
    source: 'twenty-seventh review 2',
    text: 'API4: An error of a store of files that never ends holds nothing for long.',
  },
  'attack.27-3': {
    source: 'twenty-seventh review 3',
    text: 'API4: A read from a store that stalls ends with its reader.',
  },
  'attack.27-4': {
    source: 'twenty-seventh review 4',
    text: 'ASVS 16: Callers who leave early write no errors into the log.',
  },
  'attack.28-1': {
    source: 'twenty-eighth review 1',
    text: 'API10: Examples and errors print no control characters of others.',
  },
  'attack.28-2': {
    source: 'twenty-eighth review 2',
    text: 'API10: Deep JSON of a service is a broken answer for its agents, and ends none.',
  },
  'attack.28-3': {
    source: 'twenty-eighth review 3',
    text: 'ASVS 3.4: No client of OAuth adds to the policy of the consent page.',
  },
  'attack.29-1': {
    source: 'twenty-ninth review 1',
    text: 'API4: A few addresses without a key have no other address refused.',
  },
  'attack.29-3': {
    source: 'twenty-ninth review 3',
    text: 'API10: A hostile backup is refused in a sentence, and names no path outside its folder.',
  },
  'attack.29-4': {
    source: 'twenty-ninth review 4',
    text: 'API4: Many who always have a request leave room to those who come now and then.',
  },
  'attack.30-1': {
    source: 'thirtieth review 1',
    text: 'ASVS 7.3: A page that loads itself is no use of a session.',
  },
  'attack.30-2': {
    source: 'thirtieth review 2',
    text: 'API10: Our clients send nothing where a parameter would make another address.',
  },
  'attack.31-1': {
    source: 'thirty-first review 1',
    text: 'API4: A page for an address that is malformed or too long ends no process.',
  },
  'attack.31-2': {
    source: 'thirty-first review 2',
    text: 'API4: Pages of probes and of malformed addresses hold nothing once they are sent.',
  },
  'attack.31-3': {
    source: 'thirty-first review 3',
    text: 'API4: A subscription of the tool protocol is short and names at most 100 resources.',
  },
  'attack.31-4': {
    source: 'thirty-first review 4',
    text: 'ASVS 16: Probes are logged by sample, because nothing limits them.',
  },
  'attack.31-5': {
    source: 'thirty-first review 5',
    text: 'API10: A name of a tool that is no text names no tool, and is no defect.',
  },
  'attack.33-1': {
    source: 'thirty-third review 1',
    text:
      'API6: No invitee of a private task keeps its units reserved: slots leave three invitees ' +
      'that took none, and only parties open further rounds.',
  },
  'attack.33-5': {
    source: 'thirty-third review 5',
    text:
      'API6: A round accepts ten ballots of one known operator, which counts once, and mayVote ' +
      'tells when it accepts no more.',
  },
  'attack.33-7': {
    source: 'thirty-third review 7',
    text: 'API9: The schema of a case takes every rubric that a task can have.',
  },
  'attack.33-6': {
    source: 'thirty-third review 6',
    text:
      'API6: What time does with a gift of a muted agent, or with work between two such agents, ' +
      'is no event for whoever mutes them, and catchUp leaves their offers out.',
  },
  'attack.33-3': {
    source: 'thirty-third review 3',
    text:
      'API4: Receipts of all actors come into the log in turns, and a call that makes many pays ' +
      'for further writes.',
  },
  'attack.33-4': {
    source: 'thirty-third review 4',
    text: 'API6: A node whose machine has a wrong clock ends and accepts nothing at a wrong time.',
  },
  'clock.follows': {
    source: 'thirty-third review 4',
    text: 'A process whose clock differs by more than a second from the database goes by that.',
  },
  'attack.33-8': {
    source: 'thirty-third review 8',
    text: 'API4: Catching up walks no offers that are over.',
  },
  'attack.34-1': {
    source: 'thirty-fourth review 1',
    text: 'API4: What follows a request without a Host on its connection is no work for ever.',
  },
  'attack.34-2': {
    source: 'thirty-fourth review 2',
    text: 'API4: Requests without a Host are refused within the limits of all others.',
  },
  'attack.34-3': {
    source: 'thirty-fourth review 3',
    text: 'API8: A piece of an answer that exceeds its budget is JSON, and is never formatted.',
  },
  'attack.34-5': {
    source: 'thirty-fourth review 5',
    text: 'API10: Our clients send no id that is no UUID, which could name another operation.',
  },
  'attack.35-1': {
    source: 'thirty-fifth review 1',
    text: 'API4: A body in chunks of one byte takes little memory for each, and is broken off.',
  },
  'attack.35-2': {
    source: 'thirty-fifth review 2',
    text: 'API4: No header is hidden by others: a request with more than 200 is refused.',
  },
  'attack.35-3': {
    source: 'thirty-fifth review 3',
    text: 'API4: Requests whose body nobody known sends count as those of callers without a key.',
  },
  'attack.35-4': {
    source: 'thirty-fifth review 4',
    text: 'API4: In an overload, calls of /metrics are refused as others of their caller are.',
  },
  'attack.35-5': {
    source: 'thirty-fifth review 5',
    text: 'ASVS 3.5: No address puts the focus on a field for a key, or fills in a handle.',
  },
  'attack.36-1': {
    source: 'thirty-sixth review 1',
    text: 'API4: A form with more than one part is refused at the second, not at its end.',
  },
  'attack.36-2': {
    source: 'thirty-sixth review 2',
    text:
      'API4: A request has at most 200 headers, and the heads of requests that wait on their ' +
      'connections take at most 32 MiB of a process.',
  },
  'attack.36-3': {
    source: 'thirty-sixth review 3',
    text:
      'API4: An idle connection to a receiver ends after a second, or when anything arrives on ' +
      'it, and there are at most 64.',
  },
  'attack.36-4': {
    source: 'thirty-sixth review 4',
    text: 'ASVS 4.1: The name in the whole address of a request is repeated in no answer.',
  },
  'attack.37-1': {
    source: 'thirty-seventh review 1',
    text:
      'API6: A submission that a fixture decides locks the same accounts whether its answers are ' +
      'right or wrong, so that one that fails afterwards tells nothing.',
  },
  'attack.37-2': {
    source: 'thirty-seventh review 2',
    text: 'API1: A record or a task that is refused has not looked whether its subject is known.',
  },
  'attack.37-3': {
    source: 'thirty-seventh review 3',
    text: 'API1: Deleting what is deleted already waits for nobody who writes in the thread.',
  },
  'attack.37-4': {
    source: 'thirty-seventh review 4',
    text: 'API1: A rendered outcome is kept for its own thread alone.',
  },
  'attack.37-5': {
    source: 'thirty-seventh review 5',
    text: 'API1: takeAssignment locks no owner of a task that its caller may not read.',
  },
  'attack.38-1': {
    source: 'thirty-eighth review 1',
    text:
      'API4: What arrives in small chunks is joined, also while nobody reads it, and waiting ' +
      'requests count with what their connections buffer of their bodies.',
  },
  'attack.38-2': {
    source: 'thirty-eighth review 2',
    text: 'API4: A request has at most 200 trailers.',
  },
  'attack.38-3': {
    source: 'thirty-eighth review 3',
    text: 'API10: No byte of a store is sent after the announced length.',
  },
  'attack.38-4': {
    source: 'thirty-eighth review 4',
    text: 'API4: Bytes that a store refuses to delete keep no others from being deleted.',
  },
  'attack.38-6': {
    source: 'thirty-eighth review 6',
    text: 'API10: Of an error of a store, 64 KiB are read.',
  },
  'attack.38-7': {
    source: 'thirty-eighth review 7',
    text: 'API10: No interim answers and no trailers keep a call of the client in Python waiting.',
  },
  'attack.38-8': {
    source: 'thirty-eighth review 8',
    text: 'API8: No error is written into the middle of another answer.',
  },
  'attack.39-1': {
    source: 'thirty-ninth review 1',
    text:
      'API4: A search ends after three quarters of a second with the newest messages that it has ' +
      'found, and says that it is not complete.',
  },
  'attack.39-2': {
    source: 'thirty-ninth review 2',
    text: 'API1: Nobody searches private messages of others, whatever rooms there are.',
  },
  'attack.39-3': {
    source: 'thirty-ninth review 3',
    text: 'API4: Catching up walks no messages that were taken back.',
  },
  'attack.39-4': {
    source: 'thirty-ninth review 4',
    text: 'API4: Lists of outcomes, of open questions and of tasks of a kind walk no other rows.',
  },
  'attack.39-5': {
    source: 'thirty-ninth review 5',
    text: 'API4: A sitemap that took too long goes on where it was.',
  },
  'attack.41-1': {
    source: 'forty-first review 1',
    text:
      'ASVS 3.4: Whoever the consent page leads to another port of the name at which the service ' +
      'was called is signed out first, because browsers send cookies to all ports of a name.',
  },
  'attack.41-2': {
    source: 'forty-first review 2',
    text: 'API1: An offer for a private work tells its author only to a key that may read that.',
  },
  'attack.41-4': {
    source: 'forty-first review 1, its second way',
    text: 'ASVS 3.4: Texts link to no other port of a service without https, or of its machine.',
  },
  'attack.42-1': {
    source: 'forty-second review 1',
    text: 'API8: Behind the proxies of deploy/, no answer to one caller has a node left out.',
  },
  'attack.42-2': {
    source: 'forty-second review 2',
    text: 'API8: The proxies of deploy/ pass no trace of callers on.',
  },
  'attack.43-1': {
    source: 'forty-third review 1',
    text:
      'API4: Costly pieces of answers have turns of the event loop in the order of the time that ' +
      'their callers took lately, and nobody holds a lock while waiting for one.',
  },
  'attack.43-2': {
    source: 'forty-third review 2',
    text: 'API4: Only its holder waits for a request that somebody changes.',
  },
  'attack.43-3': {
    source: 'thirty-seventh review 6',
    text: 'API4: A claim and a removal lock the membership first.',
  },
  'attack.44-1': {
    source: 'forty-fourth review 1',
    text: 'API4: METRICS_PORT bounds connections, requests and collections.',
  },
  'attack.44-2': {
    source: 'forty-fourth review 2',
    text: 'API8: The example of Patroni takes changes with a password only.',
  },
  'attack.44-4': {
    source: 'forty-fourth review 4',
    text: 'ASVS 13: STOA_ADMIN_KEY is imported with at its own installation only.',
  },
  'attack.44-5': {
    source: 'forty-fourth review 5',
    text: 'ASVS 13: checkReceipt sends no key to an address from a receipt.',
  },
  'attack.44-6': {
    source: 'forty-fourth review 6',
    text: 'ASVS 1.2: No line of a service looks like one of verify-receipt.',
  },
  'attack.44-8': {
    source: 'forty-fourth review 8',
    text: 'API10: A body of very small pieces takes the memory of its bytes.',
  },
  'attack.44-9': {
    source: 'forty-fourth review 9',
    text: 'API10: The bridge reads no faster than its client.',
  },
  'attack.44-12': {
    source: 'forty-fourth review 12',
    text: 'With --at, verify-receipt asks whose receipts are trusted.',
  },
  'attack.45-1': {
    source: 'forty-fifth review A',
    text: 'API4: What a request holds counts until its handler has ended, though its caller left.',
  },
  'attack.45-2': {
    source: 'forty-fifth review A2',
    text: 'API4: No mutation that waits is begun for a caller that left.',
  },
  'attack.45-3': {
    source: 'forty-fifth review A1',
    text: 'API4: Callers that leave pay for what was read for them.',
  },
  'attack.47-1': {
    source: 'forty-seventh review 1',
    text: 'API4: The names of files are counted in what a page of messages has.',
  },
  'attack.47-2': {
    source: 'forty-seventh review 2',
    text: 'API4: Callers that leave, or may not have it, pay for a page that was made for them.',
  },
  'attack.48-1': {
    source: 'forty-eighth review 1',
    text:
      'API4: Authors whose followers are told in the background take turns, in however many ' +
      'threads they post; the turn of one who waits behind a message of somebody else in a ' +
      'thread tells of that message.',
  },
  'attack.48-2': {
    source: 'forty-eighth review 2',
    text:
      'API4: A call that tells more than 50 agents pays a further write for each 100 of the ' +
      'others, and each agent that it tells counts 200 of the bytes of its day, for a thousand ' +
      'agents at most; what is refused or repeated pays none of this.',
  },
  'attack.48-3': {
    source: 'forty-eighth review 3',
    text:
      'API4: A batch of posts counts 10 bytes for each event that the last post of a thread ' +
      'caused, so that posts in threads with 200 followers share one by sixteen at most.',
  },
  'attack.48-4': {
    source: 'forty-eighth review 4',
    text:
      'API4: The function that moves the words of recent messages into the search index has a ' +
      'maintenance_work_mem of 4 MB, so that they leave their list in pieces.',
  },
  'attack.48-5': {
    source: 'forty-eighth review 5',
    text:
      'API4: A slice of the removal of a deleted thread has at most 8 MiB of texts, and at least ' +
      'one message.',
  },
  'attack.48-6': {
    source: 'forty-eighth review 6',
    text: 'API4: The job that ends claims reads none of those that go on.',
  },
  'attack.49-1': {
    source: 'forty-ninth review 1',
    text:
      'API4: A resource of the tool protocol has at most 1 MiB, and 2 MiB as JSON. One that is ' +
      'longer is refused unread where its length is known, and otherwise read in turns and paid.',
  },
  'attack.49-2': {
    source: 'forty-ninth review 2',
    text:
      'API4: A page of messages has at most 2 MiB as JSON, four of a caller are read at once, ' +
      'two of all whose pages take long, and a read whose caller owes for those before is ' +
      'refused when it has its turn.',
  },
  'attack.49-3': {
    source: 'forty-ninth review 3',
    text: 'API4: The description of the API is paid by its length.',
  },
  'attack.50-1': {
    source: 'fiftieth review 1',
    text:
      'API4: The slots that an agent holds without a submission are counted before any other ' +
      'lock is taken, and neither that nor catching up visits slots that were given back.',
  },
  'attack.50-2': {
    source: 'fiftieth review 2',
    text:
      'API4: The words of a task are indexed before its grant is locked, and of a grant that ' +
      'others used up meanwhile nothing is taken.',
  },
  'attack.50-3': {
    source: 'fiftieth review 1',
    text: 'API4: Giving and revoking tokens wait five seconds for a lock, as other calls do.',
  },
  'attack.51-1': {
    source: 'fifty-first review 1',
    text: 'API4: Whoever has the turn of a page waits for no other turn while it is made.',
  },
  'attack.51-2': {
    source: 'fifty-first review 2',
    text: 'API4: Pages for people have turns of their own, and messages are read beside them.',
  },
  'attack.51-3': {
    source: 'fifty-first review 3',
    text:
      'API4: A call pays for a thousand agents that it tells at most, because its author cannot ' +
      'prevent anybody from following.',
  },
  'attack.51-4': {
    source: 'fifty-first review 4',
    text: 'API4: A write whose caller owes for those before is refused when it begins.',
  },
  'attack.51-5': {
    source: 'fifty-first review 5',
    text: 'API4: The page of an anchor has it, whatever page of the same range is kept.',
  },
  'attack.52-1': {
    source: 'fifty-second review 1',
    text:
      'API4: A call that was woken waits behind no other write of its agent, and half a second ' +
      'at most for a locked row, because others who were woken wait for its turn.',
  },
  'attack.53-1': {
    source: 'fifty-third review 1, contract 5 "An agent may always rotate"',
    text:
      'API4: Listing, rotating and revoking keys with the original key count among limits of ' +
      'their own, which no scoped key uses up.',
  },
  'attack.51-6': {
    source: 'fifty-first review 6',
    text:
      'ASVS 3.4: A faulty request of a client at another port of this name signs nobody out: its ' +
      'page has no link back.',
  },
  'attack.52-2': {
    source: 'fifty-second review 2',
    text:
      'API4: Whoever needs the row of an agent alone, as to make a key or to change it, waits ' +
      'for shares of it that came before, and not for later ones.',
  },
  'attack.54-1': {
    source: 'fifty-fourth review 1',
    text: 'API4: A page for people keeps its turn while its texts are read, not while it is made.',
  },
  'attack.54-2': {
    source: 'fifty-fourth review 2',
    text: 'API4: Feeds are read in turn with pages, by callers who have paid for those before.',
  },
  'attack.54-3': {
    source: 'fifty-fourth review 3',
    text: 'API4: Callers whose waits are woken are not put off for ever by those who look often.',
  },
  'attack.54-4': {
    source: 'fifty-fourth review 4',
    text: 'API4: Who reads a page alone is asked again whether it may, when others share one.',
  },
  'attack.55-1': {
    source: 'fifty-fifth review 1',
    text:
      'API6: The clients join a room to reply only where their program says so: a mention alone ' +
      'does not bring an agent into the room that it came from.',
  },
  'attack.55-3': {
    source: 'fifty-fifth review 3',
    text: 'API10: `message()` of an event returns null for a message that may no longer be read.',
  },
  'attack.55-4': {
    source: 'fifty-fifth review 4',
    text: 'API10: A refusal by something before the service is final too, and is not repeated.',
  },
  'attack.55-5': {
    source: 'fifty-fifth review 5',
    text: 'API10: The client in Python reads texts as UTF-8, whatever the answer says.',
  },
  'attack.55-6': {
    source: 'fifty-fifth review 6',
    text: 'API10: The clients parse no answer of millions of values, nor of endless depth.',
  },
  'attack.55-7': {
    source: 'fifty-fifth review 7',
    text: 'API4: The reviewers of the example answer a file with thousands of findings.',
  },
  'attack.56-2': {
    source: 'fifty-sixth review 2',
    text: 'API4: Offers between two agents lock both in one order, and never deadlock.',
  },
  'attack.56-3': {
    source: 'fifty-sixth review 3',
    text: 'API4: Who has its turn after others have made the same page of a thread gets theirs.',
  },
  'attack.56-4': {
    source: 'fifty-sixth review 4',
    text: 'API4: Each message of a page counts as 1 KiB besides its text.',
  },
  'attack.56-6': {
    source: 'fifty-sixth review 6',
    text: 'API10: The client in Python takes JSON that is not UTF-8 for a broken answer.',
  },
  'attack.56-8': {
    source: 'fifty-sixth review 8',
    text:
      'API10: Words that something before the service refused are kept, because they may have ' +
      'been posted.',
  },
  'attack.57-1': {
    source: 'fifty-seventh review 1',
    text:
      'API1: Who was removed from a room does not wait for it with an old invitation, and so ' +
      'does not learn when others act there.',
  },
  'attack.57-2': {
    source: 'fifty-seventh review 2',
    text: 'API1: A search compares its words with private texts in rooms of its reader only.',
  },
  'attack.57-3': {
    source: 'fifty-seventh review 3',
    text: 'API1: The page of an agent does not tell when the service last sent it a hint.',
  },
  'attack.57-4': {
    source: 'fifty-seventh review 4',
    text: 'API1: An offer that cannot be made or changed waits for nothing of its recipient.',
  },
  'attack.58-1': {
    source: 'fifty-eighth review 1',
    text: 'API1: A proposal of another owner that cannot be made waits for nobody.',
  },
  'attack.58-2': {
    source: 'fifty-eighth review 2',
    text: 'API1: A feed that waited for its turn is decided in it, after a removal too.',
  },
  'attack.58-3': {
    source: 'fifty-eighth review 3',
    text: 'API1: A page that others made meanwhile is not shown of a thread deleted since.',
  },
  'attack.59-1': {
    source: 'fifty-ninth review 1',
    text:
      'API4: Idle connections keep nobody out of a full process, also when the address with most ' +
      'connections has none that are idle.',
  },
  'attack.59-2': {
    source: 'fifty-ninth review 2',
    text: 'API1: Whoever may not use a fixture does not wait for submissions to its tasks.',
  },
  'attack.59-3': {
    source: 'fifty-ninth review 3',
    text: 'API10: The bridge of the tool protocol parses no answer of millions of values.',
  },
  'attack.59-4': {
    source: 'fifty-ninth review 4',
    text: 'API10: An import parses no line of millions of values, and names it.',
  },
  'attack.60-1': {
    source: 'sixtieth review 1',
    text: 'API1: No page is kept with an outcome that came while it waited, and was deleted since.',
  },
  'attack.60-2': {
    source: 'sixtieth review 2',
    text:
      'API4: Callers whose waits are woken share the time of their claims, however ' +
      'long each takes.',
  },
  'attack.60-3': {
    source: 'sixtieth review 3',
    text:
      'API4: A proposal keeps its successor from others only for a moment while the ' +
      'room is busy.',
  },
  'attack.61-1': {
    source: 'sixty-first review 1',
    text:
      'API4: A message of the tool protocol with a wrong key costs what one without a ' +
      'key costs.',
  },
  'attack.61-2': {
    source: 'sixty-first review 2',
    text: 'V12: A backup writes to no link or file that others may have put into its folder.',
  },
  'attack.61-3': {
    source: 'sixty-first review 3',
    text: 'V14: Processes that answer requests do not get the address of the role that migrates.',
  },
  'attack.61-4': {
    source: 'sixty-first review 4',
    text: 'V14: Root restores nothing into a folder of files that belongs to another user.',
  },
  'attack.61-5': {
    source: 'sixty-first review 5',
    text: 'API6: A restore and a service that start at once never both use an empty database.',
  },
  'attack.61-6': {
    source: 'sixty-first review 6',
    text:
      'API4: An import keeps the content of few files in memory, and refuses a message ' +
      'of many.',
  },
  'attack.61-7': {
    source: 'sixty-first review 7',
    text: 'API10: A restore reads only regular files, and no manifest of very many levels.',
  },
  'attack.62-1': {
    source: 'sixty-second review 1',
    text: 'API1: Whoever waits for a tag looks only when a request opens in a room of its own.',
  },
  'attack.62-2': {
    source: 'sixty-second review 2',
    text:
      'API4: Calls about tasks and rounds that come too late, or from others, lock ' +
      'none of them.',
  },
  'attack.63-2': {
    source: 'sixty-third review 9',
    text: 'API4: Waits that are woken at once ask together whether they may know of the news.',
  },
  'attack.64-1': {
    source: 'sixty-fourth review 1',
    text:
      'API4: A page with a session waits for no write before the limits of its caller ' +
      'are asked.',
  },
  'attack.64-2': {
    source: 'sixty-fourth review 2',
    text: 'API2: A request whose key is refused, or is none, does not count as that of an agent.',
  },
  'attack.64-3': {
    source: 'sixty-fourth review 3',
    text: 'API4: Reading the spelling of a package takes one walk over its characters.',
  },
  'attack.66-1': {
    source: 'sixty-sixth review 1',
    text:
      'API4: Excerpts of search results are made in turns of the event loop, of a ' +
      'bounded text.',
  },
  'attack.66-2': {
    source: 'sixty-sixth review 2',
    text: 'API4: What is said about a named item is split in turns of the event loop.',
  },
  'attack.66-3': {
    source: 'sixty-sixth review 3',
    text: 'API1: Nobody waits for a room to be told that it may not change or join it.',
  },
  'attack.68-1': {
    source: 'sixty-eighth review 1',
    text: 'API4: Heads of requests that never end take a bounded number of bytes of the process.',
  },
  'attack.68-2': {
    source: 'sixty-eighth review 2',
    text: 'API4: Long lists take two of the connections to the database, whoever asks for them.',
  },
  'attack.69-1': {
    source: 'sixty-ninth review 1',
    text: 'API1: Whoever waits for a tag looks for news in its rooms, whatever others wait for.',
  },
  'turns.large-answers': {
    source: 'issue 17.2',
    text: 'API4: An answer of megabytes is made in turns of the event loop.',
  },
  'load.shares': {
    source: 'issue 22.5',
    text: 'Callers, agents or addresses without a key, have equal shares of what can be done.',
  },
  'load.burst': {
    source: 'issue 22.5',
    text: 'A burst that comes at once is worked off, not refused.',
  },
  'load.waits-are-no-work': {
    source: 'issue 22.5',
    text: 'Waits, unfinished bodies and calls outside are no work, and make nobody refused.',
  },
  'load.connections': {
    source: 'issue 17.1',
    text: 'Nobody keeps others out by holding connections.',
  },
  'load.given-back': {
    source: 'issue 17.1',
    text: 'What a request held is given back, however it ended.',
  },
  'edge.host': {
    source: 'issue 17.10, contract 1 "CORS"',
    text:
      'ASVS 3.4: Two Host headers are refused, and so is an unknown name where the service ' +
      'listens on loopback or derives its address.',
  },
  'edge.headers': {
    source: 'issue 17.10',
    text:
      'ASVS 3.4: Answers carry HSTS under https, CORP everywhere, COOP and Permissions-Policy on ' +
      'pages.',
  },
  'edge.cors': {
    source: 'contract 1 "CORS"',
    text: 'With CORS=off, pages of other origins may read nothing.',
  },
};
