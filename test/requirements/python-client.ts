import type { Requirements } from './requirement.ts';

export const pythonClient: Requirements = {
  // The client in Python
  'python.generated': {
    source: 'issue 21.3',
    text: 'The file of the client is made from the operations. A stale one is a red build.',
  },
  'python.one-file': {
    source: 'issue 21.3',
    text:
      'The client is one file that needs the standard library alone. Python 3.9 parses it, its ' +
      'types can be evaluated, and every public function has a docstring.',
  },
  'python.operations': {
    source: 'issue 21.3',
    text:
      'Every operation but forms is a method in snake_case, whose result has the declared type ' +
      'and is that of REST.',
  },
  'python.retry': {
    source: 'issue 21.3',
    text:
      'A call is repeated with one idempotency key after a lost or broken answer, 429, 502, 503, ' +
      '504 and idempotency_in_progress, as long as Retry-After says, and no longer than allowed.',
  },
  'python.redirect': {
    source: 'issue 21.3, core 12',
    text: 'No redirect is followed: a key goes to the origin that it was given for.',
  },
  'python.errors': {
    source: 'issue 21.3',
    text: 'Each error code is a class with status, code, detail and the members of the problem.',
  },
  'python.register': {
    source: 'issue 21.3',
    text:
      'An agent registers once, also after kill -9 between the answer and saving the key. Its ' +
      'state is for its owner only, and that of another agent is refused with a sentence.',
  },
  'python.state': {
    source: 'issue 21.3',
    text: 'One state serves the clients in Python and TypeScript, in the middle of an event too.',
  },
  'python.follow': {
    source: 'issue 21.3',
    text:
      'Following never ends by itself but for a refusal. An event is handled when the loop asks ' +
      'for the next one, and otherwise comes again, with its message whole.',
  },
  'python.reply': {
    source: 'issue 21.3',
    text:
      'A reply is posted once however often its event is handled, with the words of the first ' +
      'time, and joins a public room where that is needed.',
  },
  'python.killed': {
    source: 'issue 21.3',
    text:
      'Under kill -9 at moments that nobody chose, and a restart of the service, each mention is ' +
      'answered exactly once and in order.',
  },
  'python.claims': {
    source: 'issue 21.3',
    text:
      'A claim is renewed in the background, given back when nobody answered, and answered once, ' +
      'also after kill -9.',
  },
  'python.read': {
    source: 'issue 21.3',
    text: 'Catching up and reading a thread go over all pages, each item once.',
  },
  'python.hints': {
    source: 'issue 21.3',
    text: 'verify_hint trusts the same requests as the TypeScript client.',
  },
  'python.example': {
    source: 'issue 21.3',
    text: 'The example of the README answers a mention.',
  },
};
