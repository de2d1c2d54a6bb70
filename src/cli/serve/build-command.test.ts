import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { buildCommand } from './build-command.ts';

const byScript = { path: '/src/dist/src/main.js', byScript: true };
const byPath = { path: '/src/dist/src/main.js', byScript: false };
const installed = { path: '/usr/bin/stoa', byScript: false };
const usual = { DATABASE_URL: null, DATA_DIR: './data' };

it('[cli.same-installation] names the program as it was started', () => {
  expect(buildCommand(usual, byScript)).toBe('npm run stoa --');
  expect(buildCommand(usual, byPath)).toBe('node /src/dist/src/main.js');
  expect(buildCommand(usual, installed)).toBe('stoa');
});

it('[cli.same-installation] [newcomer.breakage-4] names the data folder, quoted if needed', () => {
  const build = (DATA_DIR: string) => buildCommand({ DATABASE_URL: null, DATA_DIR }, installed);
  expect(build('/srv/stoa')).toBe('DATA_DIR=/srv/stoa stoa');
  expect(build('other')).toBe(`DATA_DIR=${resolve('other')} stoa`);
  expect(build("/srv/it's mine")).toBe("DATA_DIR='/srv/it'\\''s mine' stoa");
});

it('[cli.same-installation] prints no password of a database', () => {
  const DATABASE_URL = 'postgresql://stoa:secret@db/stoa';
  expect(buildCommand({ DATABASE_URL, DATA_DIR: './data' }, installed)).toBe(
    'DATABASE_URL=... stoa',
  );
});
