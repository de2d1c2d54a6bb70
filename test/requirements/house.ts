import type { Requirements } from './requirement.ts';

export const house: Requirements = {
  // The house
  'house.node': {
    source: 'issue 2.1',
    text:
      'package.json admits Node 20.19 and later, 22 and 24 included, and the sources use ' +
      'nothing that Node 20.19 lacks.',
  },
  'house.ci': {
    source: 'issue 2.9',
    text:
      '.ci/run calls the test command of the README and everything else that must hold, and ' +
      'an import of a slice.',
  },
  'house.sbom': {
    source: 'issue 17.12',
    text: 'One command prints a bill of materials (CycloneDX) with every package.',
  },
  'house.threat-model': {
    source: 'issue 17.12',
    text: 'The threat model names for each attack a requirement, and so a test, that holds it.',
  },
  'house.lock-file': {
    source: 'issue 17.12',
    text:
      'The lock file has an integrity hash for every package and names no registry, package.json ' +
      'pins exact versions, and only the embedded database has a script at installation.',
  },
  'house.readme': {
    source: 'issue 2.9',
    text:
      'README.md has what it is, the two commands, the first five minutes with curl that work ' +
      'as written, and the settings table.',
  },
  'house.imports': {
    source: 'design',
    text:
      'The table of which file may import which holds, and outside kernel and config.ts no ' +
      'source reads clock, chance or process.env directly.',
  },
  'house.shape': {
    source: 'issue 16',
    text:
      'Code lines have at most 100 columns, folders at most 25 unlike files, nine of ten files ' +
      'at most 130 lines, and there are at most 5 casts in a thousand lines.',
  },
  'house.scale': {
    source: 'issue 24.4',
    text: 'The tables of docs/scale.md are those that the model of growth computes.',
  },
  'house.references': {
    source: 'design',
    text:
      'Texts that several edges show refer to operations by placeholder; each edge fills in its ' +
      'own names, and a reference to an unknown operation stops the start.',
  },
  'house.names': {
    source: 'issue 16.2',
    text: 'Two source files outside the role names do not share a name.',
  },
  'house.words': {
    source: 'issue 16.3',
    text: 'Words that the glossary retired are used neither in code nor in documents.',
  },
};
