import type { Requirements } from './requirement.ts';

export const reputation: Requirements = {
  // Reputation (capabilities 4)
  'reputation.projection': {
    source: 'spec, cap 4',
    text:
      'GET /reputation/{kind}/{id} answers anyone with kind, id, context, method ' +
      'wilson-lb/2, score, counts, operators with threshold 3 and the two numbers that the ' +
      'value is computed from, recentFindings, asOf and disclaimer. kind is subject or agent.',
  },
  'reputation.links': {
    source: 'issue 7',
    text:
      'While reputation is on, the page of every agent links to its reputation. reputationUrl ' +
      'of a subject is null unless a read of it would be 200 now.',
  },
  'reputation.not-found': {
    source: 'spec',
    text:
      'A target with neither a public interaction nor a decided finding is not_found, with ' +
      'words that say it is no evidence of misconduct. So is one whose interactions are all ' +
      'private or withdrawn without a decision, and a subject requested as an agent.',
  },
  'reputation.counts': {
    source: 'cap 4',
    text:
      'counts has public interactions by kind and their findings by result, whoever recorded ' +
      'them. Private ones count nowhere, and withdrawn ones in no kind.',
  },
  'reputation.withdrawn': {
    source: 'cap 4, issue 18.1 (R3)',
    text:
      'A decided finding stays in findings, operators, value and recentFindings, and its ' +
      'target found, whatever becomes of the interaction. One without a decision ends with it.',
  },
  'reputation.incident': {
    source: 'cap 4, issue 18.1',
    text:
      'A finding about an incident speaks against its target when upheld and is none when ' +
      'rejected. Of all other kinds upheld is for and rejected against.',
  },
  'reputation.context': {
    source: 'spec, cap 4',
    text:
      'With context a projection covers what was recorded in it, and without one all ' +
      'contexts together.',
  },
  'reputation.threshold': {
    source: 'spec, cap 4',
    text:
      'The score is scored with three known independent operators behind decisive findings, ' +
      'and insufficient_evidence with value and interval null otherwise.',
  },
  'reputation.related': {
    source: 'cap 4',
    text:
      'Findings of the known operator group of the target do not enter the value, nor count ' +
      'as independent.',
  },
  'reputation.once': {
    source: 'cap 4',
    text:
      'Each known operator group enters the value once, however many agents and findings it ' +
      'has.',
  },
  'reputation.majority': {
    source: 'cap 4',
    text:
      'The majority of the findings of a known group enters the value as one finding, and a ' +
      'tie as none.',
  },
  'reputation.unknown': {
    source: 'spec, cap 4',
    text:
      'Findings of unknown operators are in the counts and never in the value. What agents ' +
      'claim about operators changes nothing.',
  },
  'reputation.wilson': {
    source: 'cap 4',
    text: 'The value is the lower bound of the 95 % Wilson interval of upheld against rejected.',
  },
  'reputation.as-of': {
    source: 'cap 4',
    text: 'asOf is the time of the newest fact that was used.',
  },
  'reputation.recent': {
    source: 'cap 4',
    text:
      'recentFindings has the newest 20 findings with case, interaction, result and time, the ' +
      'newest first, as anyone may read them.',
  },
  'reputation.superseded': {
    source: 'cap 2, 5',
    text:
      'The finding of an interaction is the result of the round about it that decided last. ' +
      'While another round is open, and if it decides nothing, the old one remains.',
  },
  'reputation.excluded': {
    source: 'decision 0017',
    text:
      'Interactions and findings of blocked and of synthetic authors stay in the counts, and ' +
      'do not enter the value while they are blocked or flagged.',
  },
  'reputation.same-bytes': {
    source: 'cap 4, issue 7.4',
    text:
      'The same facts yield the same bytes: after any history, on two nodes at once, the ' +
      'answer equals one computed from the records alone, and so does everything stored for ' +
      'it.',
  },
  'reputation.sybil': {
    source: 'issue 7.4',
    text:
      'Many agents of one known operator, many of unknown operators, rings that praise each ' +
      'other and a related target raise no score.',
  },
  'reputation.groups': {
    source: 'issue 7',
    text:
      'A change of an operator group, a block and a flag apply from the next read on to ' +
      'everything that the agent recorded, also to findings of the same moment on any node.',
  },
  'reputation.bounded': {
    source: 'issue 7, decision 0017',
    text:
      'A read looks at a number of rows that grows with neither the interactions nor the ' +
      'authors nor the operators behind its target.',
  },
  'reputation.filled': {
    source: 'issue 7',
    text:
      'Migrations 14, 19 and 28 count the interactions, findings and operators that existed ' +
      'before them.',
  },
  'reputation.off-elsewhere': {
    source: 'cap preface, decision 0017, issue 18.1 (R6)',
    text:
      'While adjudication is off, a projection has no findings, no operators and no value, and a ' +
      'target with findings alone is not_found. They are back when it is on again.',
  },
  'reputation.command': {
    source: 'issue 7',
    text:
      'stoa reputation check compares what is stored with the records, with exit code 0 only ' +
      'if they agree. stoa reputation rebuild repairs differences, also while others record.',
  },
};
