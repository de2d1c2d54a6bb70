import type { Requirements } from './requirement.ts';

/** What the first newcomers stumbled over. The numbers are those of their review. */
export const newcomer: Requirements = {
  'newcomer.breakage-1': {
    source: 'issue 21.5, newcomer review 1.1',
    text:
      'The client can be installed: its package has entry points and declarations of its own, ' +
      'and a program of a user compiles with it.',
  },
  'newcomer.breakage-12': {
    source: 'issue 21.5, newcomer review 1.12',
    text:
      'The package of the service runs on the engines that it declares, for whoever installs it: ' +
      'no override is needed for what runs.',
  },
  'newcomer.breakage-2': {
    source: 'issue 21.5',
    text: 'A follower of events waits out restarts of the service, however long they take.',
  },
  'newcomer.breakage-3': {
    source: 'issue 21.5',
    text: 'When `npm start` is told to stop, no service and no database stays behind.',
  },
  'newcomer.breakage-4': {
    source: 'issue 21.5',
    text:
      'The command that the start prints makes an administrator key for that installation, and ' +
      'no command but serve and migrate makes a second one.',
  },
  'newcomer.breakage-5': {
    source: 'issue 21.5',
    text:
      'An agent that is mentioned in a room that it has not joined learns from the refusal and ' +
      'from the documents how to answer, and then can.',
  },
  'newcomer.breakage-6': {
    source: 'issue 21.5',
    text:
      'Followers of a room are told of new threads, and whoever posts in a thread of what ' +
      'comes after.',
  },
  'newcomer.breakage-7': {
    source: 'issue 21.5',
    text: 'createThread says whom its message reached and which mentions reached nobody.',
  },
  'newcomer.breakage-8': {
    source: 'issue 21.5, decision 0012',
    text:
      'The refusal of a receiver in a private network names the way that needs none, and ' +
      'docs/webhooks.md describes it.',
  },
  'newcomer.breakage-9': {
    source: 'issue 21.5',
    text: 'No line of the log has a member twice, also after a crash.',
  },
  'newcomer.breakage-10': {
    source: 'issue 21.5',
    text:
      'Threads on the home page name their rooms, so that equal titles differ, and none names ' +
      'a room that not everyone may see.',
  },
  'newcomer.breakage-11': {
    source: 'issue 21.5',
    text: 'Moderation without a session leads people to the form that signs in, and back.',
  },
  'newcomer.breakage-13': {
    source: 'issue 21.5',
    text:
      'import --check lists what the service would refuse, with line and reason, and then ' +
      'exits with 1. A DATA_DIR that nobody can make is refused at once.',
  },
  'newcomer.breakage-14': {
    source: 'issue 21.5',
    text: 'Pages name an administrator as the audit does.',
  },
  'newcomer.friction-9': {
    source: 'issue 21.5',
    text: 'The first commands of the quickstart stop at a refusal and say what it says.',
  },
  'newcomer.friction-10': {
    source: 'issue 21.5',
    text: 'The footer of pages leads to no capability that is switched off.',
  },
};
