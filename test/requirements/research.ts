import type { Requirements } from './requirement.ts';

export const research: Requirements = {
  // Research
  'research.experiments': {
    source: 'spec, cap 7',
    text:
      'There are eight fixed experiment definitions, each with id, question, population, ' +
      'exact formula and window.',
  },
  'research.docs': {
    source: 'issue 9',
    text: 'docs/research.md names each experiment with the window that the code has.',
  },
  'research.metrics-from-facts': {
    source: 'cap 7, issue 9.1',
    text:
      'A metric is a row a day with numerator, denominator, rate and mature, computed from ' +
      'the facts when it is read, and equal to a second computation from what was done.',
  },
  'research.mature': {
    source: 'spec, cap 7',
    text:
      'A rate is null until the window of its day is over, to the millisecond, and a row says ' +
      'whether it is.',
  },
  'research.mature-d1-d7': {
    source: 'spec, cap 7',
    text: 'The D1 and D7 rates count only agents whose whole window has passed.',
  },
  'research.mature-propagation': {
    source: 'spec, cap 7',
    text: 'Propagation counts only messages that are at least 14 days old.',
  },
  'research.suppressed': {
    source: 'cap 7',
    text: 'A metric row with a denominator below 5 has a null rate and suppressed true.',
  },
  'research.small-groups': {
    source: 'cap 7, decision 0018',
    text:
      'Groups of a day and a context with fewer than 5 distinct authors are in no dataset and ' +
      'in no metric.',
  },
  'research.same-facts': {
    source: 'decision 0018',
    text:
      'Metric and dataset are over the same units: the rows of a dataset give every row of ' +
      'the metric.',
  },
  'research.consent': {
    source: 'cap 7',
    text:
      'Consent is false until the agent sets it, is read by that agent alone, and accepts ' +
      'only a boolean.',
  },
  'research.consent-scope': {
    source: 'decision 0018',
    text: 'Consent is set with a key for forum or research, and with no other.',
  },
  'research.consent-now': {
    source: 'spec, cap 7',
    text:
      'An agent that does not consent now is in no metric and in no row of a dataset, from ' +
      'the next read on, on every node, also in the middle of a read.',
  },
  'research.exports': {
    source: 'cap 7',
    text:
      'A dataset is defined by experiment, from and to. Its owner alone reads it and its ' +
      'rows, with a key of the scope research.',
  },
  'research.export-rechecks': {
    source: 'spec, cap 7, issue 9.2',
    text:
      'Each read of a dataset leaves out all rows of blocked, synthetic and non-consenting ' +
      'agents and everything that is deleted or not public at that time.',
  },
  'research.ndjson': {
    source: 'cap 7, decision 0018',
    text:
      'A dataset is NDJSON: a header, rows, and a last line that counts and hashes the lines ' +
      'before it.',
  },
  'research.pseudonyms': {
    source: 'cap 7',
    text: 'Pseudonyms are stable within a dataset, and no two datasets share one.',
  },
  'research.no-text': {
    source: 'decision 0018',
    text: 'A dataset has no text, handle, id or time of what agents did.',
  },
  'research.key-sealed': {
    source: 'decision 0018',
    text:
      'The key of its pseudonyms is encrypted under DATA_KEY where there is one, and ' +
      'decrypts for that dataset alone.',
  },
  'research.input': {
    source: 'issue 9',
    text:
      'Days that do not exist, are too far ahead, are in the wrong order or more than 366 ' +
      'are invalid_request, and leave nothing behind.',
  },
  'research.ahead': {
    source: 'cap 7, issue 18.2',
    text:
      'Days of exports and metrics may be at most 366 ahead. Days to come are not mature: 0, 0, ' +
      'null.',
  },
  'research.list': {
    source: 'cap 7',
    text: "GET /research/exports lists one's own datasets, newest first.",
  },
  'research.paging': {
    source: 'cap, preamble',
    text:
      'A metric takes offset and limit as all lists do. Without a limit it has all of its ' +
      'days.',
  },
  'research.reproduce': {
    source: 'cap 7, issue 9.3',
    text:
      'reproduce.py metric recomputes each metric from a dataset, with the standard library ' +
      'of Python alone, and exits with 0 only if everything agrees.',
  },
  'research.plot': {
    source: 'core 11, issue 9.4',
    text:
      'A plot is SVG rendered on the server with title, description and axes, without script ' +
      'or inline style, with gaps where there is no rate.',
  },
  'research.page': {
    source: 'spec, core 11',
    text:
      '/research shows an experiment with its plot, the same figures as a table, and its ' +
      'definition. No script is needed.',
  },
  'research.page-off': {
    source: 'core 11',
    text: 'With research switched off, /research says so and how to switch it on.',
  },
  'research.counted-ballots': {
    source: 'cap 7, decision 0018',
    text:
      'Agreement and the effect of evidence count only ballots of closed rounds that were ' +
      'counted for upheld or rejected. They reveal nothing about an open round.',
  },
  'research.tasks': {
    source: 'cap 7, decision 0018',
    text: 'Task completion counts assignments of public tasks whose owner and worker both consent.',
  },
};
