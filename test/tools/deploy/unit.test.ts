import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultLoadLimits } from '../../../src/kernel/limits/load-limit-values.ts';
import { createFolder } from '../../support/service.ts';
import { expectSettings } from './expect-settings.ts';
import { findProgram, readExample } from './read-example.ts';

/** systemd's exposure of a service, from 0 to 100: below 20 it says that a service is well off. */
const MAX_EXPOSURE = 15;

const unit = readExample('stoa.service');
const readAll = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
const read = (name: string): string => readAll(name).at(-1) ?? '';

describe('deploy/stoa.service', () => {
  it('[deploy.unit] [deploy.settings] sets settings, and a folder that it may write to', () => {
    const pairs = read('Environment').split(' ');
    const { DATA_DIR, TRUST_PROXY } = expectSettings(
      Object.fromEntries(pairs.map((pair) => pair.split('=', 2) as [string, string])),
    );
    expect(DATA_DIR).toBe(`/var/lib/${read('StateDirectory')}`);
    expect(TRUST_PROXY).toBe(1);
  });

  it('[deploy.unit] starts the service as `npm start` does, without npm', () => {
    const { start } = JSON.parse(readExample('../package.json')).scripts;
    const [, options = ''] = /start\.mjs (.*) serve$/.exec(start) ?? [];
    expect(read('ExecStart')).toBe(`/usr/bin/node ${options} dist/src/main.js serve`);
  });

  it('[deploy.unit] leaves time to stop, and files to open', () => {
    // The service ends by itself within 10 s (contract, section 12), and stops its own database.
    expect(Number(read('TimeoutStopSec'))).toBeGreaterThan(10);
    expect(read('KillMode')).toBe('mixed');
    expect(Number(read('LimitNOFILE'))).toBeGreaterThan(
      2 * defaultLoadLimits['connections.process'],
    );
    expect(Number.parseInt(read('MemoryMax'), 10)).toBeGreaterThanOrEqual(2);
  });

  const analyze = findProgram('systemd-analyze', 'systemd');
  it.skipIf(!analyze)('[deploy.unit] is a unit that systemd accepts and finds confined', () => {
    const path = join(createFolder(), 'stoa.service');
    // Node may be elsewhere on this machine, and systemd looks for it.
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
    const run = (...words: string[]) =>
      execFileSync(analyze ?? '', [...words, path], { stdio: ['ignore', 'pipe', 'pipe'] });
    expect(run('verify').toString()).toBe('');
    // It ends with 1 when the service is more exposed.
    const said = run('security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, '--no-pager');
    expect(said.toString()).toContain('NoNewPrivileges');
  });
});
