import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExternalSubjectType,
  externalSubjectTypes,
  MAX_VALUE_BYTES,
  normalise,
} from './subject-values.rules.ts';

const normaliseOrFault = (type: ExternalSubjectType, text: string) => {
  const normal = normalise(type, text);
  return 'value' in normal ? normal.value : `fault: ${normal.fault}`;
};

/** Returns every combination of these parts. */
const spellings = (...parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>(
    (all, part) => all.flatMap((before) => part.map((next) => before + next)),
    [''],
  );

/** Values as they are stored, each with spellings of it; every type has at least a hundred. */
const sameValues: readonly (readonly [
  type: ExternalSubjectType,
  value: string,
  spellings: readonly string[],
])[] = [
  [
    'url',
    'https://example.org/a/b?q=1',
    spellings(
      ['', ' '],
      ['https', 'HTTPS', 'hTTps'],
      ['://'],
      ['example.org', 'EXAMPLE.org', 'ｅxample.org', 'example.org:443'],
      ['/a/b', '/a/./b', '/a/c/../b'],
      ['?q=1'],
      ['', '#', '#top'],
    ),
  ],
  [
    'url',
    'https://xn--bcher-kva.example/',
    spellings(
      ['', ' ', '\t'],
      ['https', 'HTTPS'],
      ['://'],
      ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example', 'bu\u0308cher.example'],
      ['', '/', '/.', '/x/..', '/#a'],
    ),
  ],
  [
    'domain',
    'xn--bcher-kva.example',
    spellings(
      ['', ' ', '\t'],
      ['bücher', 'Bücher', 'BÜCHER', 'xn--bcher-kva', 'XN--BCHER-KVA', 'bu\u0308cher'],
      ['.', '。'],
      ['example', 'EXAMPLE', 'Example'],
      ['', '.', ' '],
    ),
  ],
  [
    'repository',
    'github.com/example/parser',
    spellings(
      ['', 'https://', 'http://', 'git+https://', 'ssh://git@', 'git://', ' '],
      ['github.com', 'GitHub.com', 'www.github.com'],
      ['/'],
      ['example', 'Example'],
      ['/parser', '/Parser'],
      ['', '.git', '/'],
    ),
  ],
  [
    'repository',
    'github.com/example/parser',
    spellings(
      ['git@', 'me@', ' git@'],
      ['github.com', 'GITHUB.COM', 'www.github.com'],
      [':', ':/'],
      ['example/', 'EXAMPLE/'],
      ['parser', 'PARSER'],
      ['', '.git', '.GIT'],
    ),
  ],
  [
    'repository',
    'git.example.org/Group/sub/Name',
    spellings(
      ['', 'https://', 'ssh://git@'],
      ['git.example.org', 'GIT.example.ORG', 'git.example.org:8443'],
      ['/Group/sub/Name'],
      ['', '/', '.git', '.git/', '//'],
      ['', ' ', '\n'],
    ),
  ],
  [
    'package',
    'npm/@scope/name',
    spellings(
      ['', 'pkg:', 'PKG:', ' '],
      ['npm', 'NPM', 'Npm'],
      ['/'],
      ['@scope', '@Scope', '@SCOPE'],
      ['/name', '/Name', '/NAME'],
    ),
  ],
  [
    'package',
    'pypi/some-name',
    spellings(
      ['pypi', 'PyPI', 'pip'],
      ['/'],
      ['some', 'Some', 'SOME'],
      ['-', '_', '.', '__', '-.'],
      ['name', 'Name', 'NAME'],
    ),
  ],
  [
    'package',
    'cargo/serde',
    spellings(
      ['', 'pkg:', ' '],
      ['cargo', 'Cargo', 'crates', 'crates.io', 'CRATES.IO'],
      ['/'],
      ['serde', 'Serde', 'SERDE', 'sErde'],
      ['', ' '],
    ),
  ],
  [
    'doi',
    '10.1000/abc(1).2',
    spellings(
      [
        '',
        'doi:',
        'DOI:',
        'doi: ',
        'https://doi.org/',
        'http://dx.doi.org/',
        'https://www.doi.org/',
        'HTTPS://DOI.ORG/',
        'info:doi/',
        ' ',
      ],
      ['10.1000/'],
      ['abc', 'ABC', 'aBc'],
      ['(1)'],
      ['.2', '.2 ', '.2\n', '.2\t'],
    ),
  ],
  [
    'doi',
    '10.1000/a<b',
    spellings(
      ['https://', 'http://', 'HTTPS://'],
      ['doi.org/', 'dx.doi.org/', 'DOI.org/'],
      ['10.1000/', '10.1000%2F', '10.1000%2f'],
      ['a', 'A'],
      ['%3Cb', '%3cB', '<b', '<B'],
    ),
  ],
  ...(['model', 'service', 'person_pseudonym'] as const).map(
    (type) =>
      [
        type,
        'grosse strasse σσ',
        spellings(
          ['', ' ', '\t'],
          ['große', 'GROSSE', 'Grosse', 'GROẞE'],
          [' '],
          ['straße', 'STRASSE', 'strasse'],
          [' '],
          ['σσ', 'ΣΣ', 'Σς'],
          ['', '  '],
        ),
      ] as const,
  ),
];

const refusedValues: readonly (readonly [ExternalSubjectType, readonly string[]])[] = [
  [
    'url',
    [
      '',
      'example.org',
      'ftp://example.org/',
      'javascript:alert(1)',
      'data:,x',
      'https://',
      'https://user:pass@example.org/',
      'https://user@example.org/',
      '//example.org',
    ],
  ],
  [
    'domain',
    [
      '',
      'localhost',
      '127.0.0.1',
      '[::1]',
      'example.org/x',
      'https://example.org',
      'a b.example',
      'example..org',
      '-.example',
      `${'x'.repeat(64)}.example`,
      'user@example.org',
      'example.org:80',
      '0x7f.1',
    ],
  ],
  [
    'repository',
    [
      '',
      'github.com',
      'github.com/owner',
      'owner/name',
      'https://github.com/a/b?x=1',
      'https://github.com/a/b#l',
      'github.com/a/..',
      'github.com/./b',
      'github.com/a b/c',
      '127.0.0.1/a/b',
    ],
  ],
  ['package', ['', 'npm', 'npm/', '/name', 'npm/a b', '1npm/name', 'npm//x', 'npm/a/']],
  [
    'doi',
    [
      '',
      '10.1000',
      '10.1000/',
      '10.1/x',
      'https://doi.org/',
      'abc',
      '10.1000/a b',
      'https://example.org/10.1000/182',
    ],
  ],
  ['model', ['', '   ', 'a\u202eb', 'a\nb']],
];

describe('the spelling of a subject', () => {
  it.for(sameValues)('[subject.normalised] %s %s', ([type, value, texts]) => {
    expect(texts.length).toBeGreaterThanOrEqual(40);
    for (const text of texts)
      expect(normaliseOrFault(type, text), JSON.stringify(text)).toBe(value);
  });

  it('[subject.normalised] has a hundred spellings of each type', () => {
    for (const type of externalSubjectTypes)
      expect(
        new Set(sameValues.filter(([one]) => one === type).flatMap(([, , texts]) => texts)).size,
        type,
      ).toBeGreaterThanOrEqual(100);
  });

  it('[subject.normalised] keeps different things apart', () => {
    expect(normaliseOrFault('url', 'https://example.org/A')).not.toBe(
      normaliseOrFault('url', 'https://example.org/a'),
    );
    expect(normaliseOrFault('url', 'https://example.org/a')).not.toBe(
      normaliseOrFault('url', 'https://example.org/a/'),
    );
    expect(normaliseOrFault('repository', 'git.example.org/a/B')).not.toBe(
      normaliseOrFault('repository', 'git.example.org/a/b'),
    );
    expect(normaliseOrFault('package', 'go/example.org/A')).not.toBe(
      normaliseOrFault('package', 'go/example.org/a'),
    );
    expect(normaliseOrFault('package', 'npm/a-b')).not.toBe(normaliseOrFault('package', 'npm/a_b'));
    expect(normaliseOrFault('package', 'pkg:npm/%40scope/name@1.2.3?x=1')).toBe('npm/@scope/name');
  });

  it.for(refusedValues)('[subject.refused] %s', ([type, texts]) => {
    for (const text of texts)
      expect(normalise(type, text), JSON.stringify(text)).toEqual({ fault: expect.any(String) });
  });

  it('[subject.normalised] does not change when it is normalised again, whatever was sent', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.webUrl({ withFragments: true }),
      fc.domain(),
      fc.string({ unit: fc.constantFrom(...'aB/.:@%-_#?ſßΣςİıŉǅ\u0345\u0301 ') }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...externalSubjectTypes), text, (type, given) => {
        const once = normalise(type, given);
        if ('fault' in once) return;
        expect(normalise(type, once.value)).toEqual(once);
        expect(Buffer.byteLength(once.value)).toBeLessThanOrEqual(MAX_VALUE_BYTES);
      }),
      { numRuns: 3000 },
    );
  });

  it('[subject.refused] is not longer than the index allows', () => {
    expect(normaliseOrFault('model', 'x'.repeat(MAX_VALUE_BYTES))).toHaveLength(MAX_VALUE_BYTES);
    expect(normaliseOrFault('model', `${'x'.repeat(MAX_VALUE_BYTES - 1)}é`)).toMatch(/^fault/);
    expect(normaliseOrFault('url', `https://example.org/${'é'.repeat(700)}`)).toMatch(/^fault/);
  });
});

it('[attack.64-3] (API4) a package with very many versions and marks is read in one walk', () => {
  for (const text of [`pkg:${'%40'.repeat(400_000)}/`, `pkg:${'@'.repeat(400_000)}/`])
    expect(normaliseOrFault('package', text)).toMatch(/^fault: must be ecosystem/);
  expect(normaliseOrFault('package', `pkg:npm/a${'?'.repeat(400_000)}\n`)).toBe('npm/a');
  const same = (path: string) => normaliseOrFault('package', `pkg:${path}`);
  expect(same('npm/%40scope/name@1.0@2')).toBe('npm/@scope/name');
  expect(same('npm/name@1.0?a=b#c')).toBe('npm/name');
});
