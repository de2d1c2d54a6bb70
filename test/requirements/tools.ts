import type { Requirements } from './requirement.ts';

export const tools: Requirements = {
  // The client's package
  'client.open': {
    source: 'issue 21.2',
    text:
      'Agent.open registers once, also when its process is killed at any moment in between, ' +
      'and keeps key and cursor in a file that only its owner may read, or in a store of ' +
      "one's own.",
  },
  'client.follow': {
    source: 'issue 21.2',
    text:
      'Agent.follow yields each event in order for ever, waits out restarts of the service of ' +
      'any length and tells of them; an event that was not handled comes again.',
  },
  'client.acts': {
    source: 'issue 21.2',
    text:
      'What a handler does is done once, although it runs again after a crash and would say ' +
      'something else then.',
  },
  'client.claims': {
    source: 'issue 21.2',
    text:
      'Claims are renewed while work goes on, resumed after a crash, answered once, and their ' +
      'signal tells when one was lost.',
  },
  'client.errors': {
    source: 'issue 21.2',
    text: 'Each error code has a class, and an aborted signal ends every call and loop.',
  },
  'client.long-reads': {
    source: 'issue 21.2',
    text: 'Long reads yield everything once and tell how far they are.',
  },
  'client.examples': {
    source: 'issue 21.2',
    text: 'Every public function of the package has a docstring and an example that compiles.',
  },
  'client.document': {
    source: 'issue 22, newcomers',
    text:
      "The clients' documents have a line for each everyday call, and their programs work as " +
      'written, more than once.',
  },
  'client.outage': {
    source: 'issue 22, newcomers',
    text: 'Any call can wait until the service is back, and then has its effect once.',
  },
  'client.lock': {
    source: 'issue 22, newcomers',
    text:
      'The lock of a state ends with its process, also after kill -9 while its parent has not ' +
      'asked how it ended.',
  },
  'client.moved': {
    source: 'issue 22, newcomers',
    text:
      'A state without a key belongs to nobody: another address or handle begins it anew, with ' +
      'a fresh idempotency key. The same ones keep theirs.',
  },
  'client.unknown-key': {
    source: 'issue 22, newcomers',
    text: 'An error that refuses the key of a state names the address, the file and what to do.',
  },
  'client.ask': {
    source: 'issue 22, newcomers',
    text: 'The program that asks agents says its usage in a line, and ends with 1 unless asked to.',
  },
  'client.stands-alone': {
    source: 'issue 21.1',
    text:
      'The declarations of the package import nothing but each other; at run time it needs only ' +
      'what verification needs, and no module of Node.js but for its file of the state.',
  },
  // Tools
  'mcp.endpoint': {
    source: 'core 11',
    text:
      'POST /mcp answers each request by itself, without a session id. GET and DELETE are ' +
      'method_not_allowed with Allow.',
  },
  'mcp.revisions': {
    source: 'core 11, issue 6.1',
    text:
      'The official client at 2026-07-28 and at 2025-11-25 sees the same tools and gets the ' +
      'same answers.',
  },
  'mcp.one-tool': {
    source: 'spec 12, core 11',
    text:
      'Every operation that an agent can use is one tool, with the names that the contract ' +
      'gives. One is activate_capabilities. Every operation that is no tool has a reason.',
  },
  'mcp.arguments': {
    source: 'core 11',
    text:
      'The arguments of a tool are path, query and body side by side, and an id in a path is ' +
      'named after what it identifies. A name that occurs twice aborts startup.',
  },
  'mcp.described': {
    source: 'issue 6.2',
    text:
      'Every tool and every argument, members of arguments included, has a description, ' +
      'bounds and an example. A tool names the scope that its key needs, and no description ' +
      'of a tool is longer than 600 characters.',
  },
  'mcp.told-apart': {
    source: 'issue 6.2',
    text: 'A tool whose name or purpose is close to that of another names the other.',
  },
  'mcp.listing': {
    source: 'core 11, issue 6.3',
    text:
      'Every tool has a title, input and output schema and annotations that follow from its ' +
      'operation. The order is always that of the registry.',
  },
  'mcp.same-answer': {
    source: 'core 11',
    text:
      'structuredContent equals the REST body of the same call and matches the output ' +
      'schema. A bare array is returned as items.',
  },
  'mcp.pages': {
    source: 'core 1 (Lists), core 11',
    text:
      'A list that continues says so in _meta.hasMore and nextOffset, and in its text. Its ' +
      'last page does not.',
  },
  'mcp.same-error': {
    source: 'core 2, core 11',
    text:
      'A refused call is isError with the problem of the same REST call, whose pointers lead ' +
      'into the arguments and whose sentence names tools.',
  },
  'mcp.no-key': {
    source: 'issue 6.5',
    text:
      'Read tools of public content work without a key. A missing key is a tool error ' +
      'unauthenticated that names register_agent, with HTTP status 200 and no ' +
      'WWW-Authenticate.',
  },
  'mcp.key': {
    source: 'core 11',
    text:
      'The agent key comes in X-API-Key or as Authorization: Bearer, the key of a guest ' +
      'context in X-Context-Key. A wrong one is invalid_credential for every tool.',
  },
  'mcp.idempotency': {
    source: 'core 11',
    text:
      'A call begun over one of REST and MCP and repeated over the other is one effect with ' +
      'one answer, files and sealed answers included.',
  },
  'mcp.limits': {
    source: 'core 1, core 11',
    text:
      'Calls of tools use the same rate limits of the same caller as REST, and carry request ' +
      'ids and rate headers. A valid administrator key lifts the limits.',
  },
  'text.marked': {
    source: 'issue 17.8, contract 14 "Both copies tell all"',
    text:
      'LLM01: What agents wrote, names and titles too, is marked in every answer, quoted in ' +
      'Markdown, fenced or marked in tools and resources, and inert in pages and feeds.',
  },
  'mcp.both-copies': {
    source: 'contract 14 "Both copies tell all", issue 19.1',
    text:
      'However a client passes on a result, its model learns whose words it has, whether there ' +
      'is more and which call reads on: structuredContent and the first text begin with it.',
  },
  'mcp.budget': {
    source: 'contract 14 "Budgets", issue 19.2',
    text:
      'Every read that is a tool takes a budget, as tool (24,000 by default) and over REST. No ' +
      'copy of an answer exceeds it, and the pages together are everything, each once.',
  },
  'watch.each': {
    source: 'issue 20.3',
    text:
      '`stoa watch --exec` runs a command for each event, one at a time, with event and message ' +
      'as JSON on standard input, and goes on after a restart.',
  },
  'watch.failing': {
    source: 'issue 20.3',
    text: 'An event whose command fails comes again, with longer waits, before any other.',
  },
  'watch.idle': {
    source: 'issue 20.5',
    text: 'With `--idle`, `stoa watch` also runs the command when no event has come for so long.',
  },
  'watch.killed': {
    source: 'issue 20.3',
    text: 'After kill -9 no event is missed, and one at most comes again.',
  },
  'watch.restart': {
    source: 'issue 20.3',
    text: 'stoa watch waits for a service that is away for as long as it takes, and says so.',
  },
  'watch.refuses': {
    source: 'issue 20.3',
    text:
      'stoa watch ends with a sentence for an invalid key, a second process, and a state file ' +
      'that is not its own.',
  },
  'channel.push': {
    source: 'issue 20.3',
    text:
      '`stoa mcp --channel` announces the capability of its client and pushes each event once ' +
      'it is there, with words of others in a fence.',
  },
  'channel.killed': {
    source: 'issue 20.3',
    text: 'After kill -9 of the bridge no event is missed, and one at most comes again.',
  },
  'channel.tools-stay': {
    source: 'issue 20.3',
    text: 'Where events cannot be read, the bridge says so and its tools go on.',
  },
  'mcp.short-text': {
    source: 'issue 19.4',
    text:
      'The text of read_messages has each id once and only what it takes to understand and to ' +
      'answer. No text of a message can pass for anything else.',
  },
  'mcp.sets': {
    source: 'contract 14 "Sets", issue 19.3',
    text:
      '/mcp lists at most 25 tools and 40,960 bytes; /mcp/x/{set}, /mcp/readonly and ' +
      'X-MCP-Toolsets list others, with output schemas if asked. find_tools and call_tool reach ' +
      'the rest. A set never gives a right.',
  },
  'mcp.sets-access': {
    source: 'contract 14 "Sets", issue 19.3',
    text:
      'The access table holds over every set of tools, by address and by header, called by name ' +
      'and through call_tool: a set gives no right that its caller has not.',
  },
  'mcp.budget-any': {
    source: 'contract 14 "Budgets", issue 19.2',
    text:
      'Whatever the budget from 1,000 to 100,000 and whatever the script of the text, no copy of ' +
      'an answer exceeds it, and a thread is read in full.',
  },
  'mcp.budget-walk': {
    source: 'contract 14 "Budgets", issue 19.3',
    text:
      'Every list is read to its end under a budget, over REST by its links and as a tool: ' +
      'everything, each once, an item that is too long in pieces.',
  },
  'mcp.trust': {
    source: 'core 1, core 11',
    text:
      'A result with text written by others has _meta.contentTrust "untrusted", and its text ' +
      'is in a fence whose marker is new each time.',
  },
  'mcp.switched-off': {
    source: 'core 11, core 12',
    text:
      'Tools whose capability is switched off do not exist. With MCP_ENABLED=off /mcp ' +
      'answers capability_disabled, and the manifest says so.',
  },
  'mcp.origin-host': {
    source: 'issue 6.4',
    text:
      'A request under a foreign name, or from a page of another origin, is forbidden and has ' +
      'no effect.',
  },
  'mcp.body': {
    source: 'core 11',
    text:
      'A request of 16 MiB is accepted, so that a file of the maximum size fits. A larger ' +
      'one is payload_too_large.',
  },
  'mcp.one-message': {
    source: 'core 11, the revisions',
    text: 'An array of messages is refused as a whole, and none of them has an effect.',
  },
  'mcp.long': {
    source: 'core 1, core 11',
    text:
      'Only the content of a file may make a message longer than JSON over REST. One that is ' +
      'long by its members, nesting or anything else is payload_too_large, before it is ' +
      'parsed.',
  },
  'mcp.logged': {
    source: 'core 12',
    text:
      'The log and the metrics name the operation behind a tool, a resource or a ' +
      'subscription, and the log names the agent that called.',
  },
  'mcp.gone': {
    source: 'issue 6.3',
    text: 'A waiting call ends when its caller has disconnected, at both revisions.',
  },
  'mcp.hostile': {
    source: 'core 1, core 11',
    text:
      'JSON that REST would refuse (broken, repeated members, too deep, NUL, lone ' +
      'surrogates, wrong types, unknown arguments) is refused and leaves nothing behind.',
  },
  'mcp.files': {
    source: 'core 11, issue 6',
    text:
      'attach_file takes base64 and read_file returns any part of a file, text as text. As a ' +
      'resource a file is read up to 1 MiB.',
  },
  'mcp.resources': {
    source: 'core 11, issue 6.1',
    text:
      'Threads (Markdown), rooms, files and the documentation are resources, with the rights ' +
      'of the same reads over REST. Any other address is not found.',
  },
  'mcp.prompts': {
    source: 'issue 6.1',
    text:
      'There are prompts that help an agent begin. A value filled into one stays one quoted ' +
      'line of at most 500 characters.',
  },
  'mcp.wait': {
    source: 'issue 6.3',
    text: 'get_events with wait answers when something arrives.',
  },
  'mcp.subscription': {
    source: 'issue 6.3',
    text:
      'subscriptions/listen notifies an agent with a key of each of its events, and of no ' +
      "one else's, and ends when its key is revoked.",
  },
  'mcp.cache-hints': {
    source: 'issue 6.3',
    text:
      'At 2026-07-28 lists say that everyone may cache them for an hour, and results that ' +
      'depend on the caller that nobody may.',
  },
  'mcp.conversation': {
    source: 'issue 6 Proof',
    text:
      'The official client has a whole conversation with the built service: register, create ' +
      'room, invite, accept, post, attach, mention, wait, answer, set the outcome, read the ' +
      'receipt.',
  },
  'mcp.bridge': {
    source: 'issue 6.6',
    text:
      'stoa mcp --url --key speaks the protocol over standard input and output, and says ' +
      'what is wrong when the service cannot be reached.',
  },
  'mcp.registry-auth': {
    source: 'core 11, issue 6.6',
    text:
      '/.well-known/mcp-registry-auth is the line of MCP_REGISTRY_AUTH, and not_found when it ' +
      'is unset.',
  },
  'mcp.published': {
    source: 'issue 6.6',
    text:
      'server.json names the version and the address of the tools as the registry requires. ' +
      'docs/mcp.md has a valid configuration for each common client.',
  },
  'mcp.frameworks': {
    source: 'issue 19.7',
    text:
      '.ci/run lets five pinned clients of frameworks, which are no dependencies of the service, ' +
      'connect, list, read, read on, post and be refused, and asserts the text that their models ' +
      'get.',
  },
  'mcp.conformance': {
    source: 'core 11, issue 6 Proof',
    text:
      '.ci/run runs every server scenario of the public conformance suite that applies, and ' +
      'has a reason for each that does not.',
  },
  'kit.passes': {
    source: 'issue 21.6',
    text:
      'The conformance kit holds an installation against the documents from outside, with a ' +
      'sentence of theirs in each check, and finds nothing wrong with the built service.',
  },
  'kit.faults': {
    source: 'issue 21.6',
    text:
      'Each fault that is planted between the kit and the service is found by a check that ' +
      'names the section, and no report has a credential.',
  },
};
