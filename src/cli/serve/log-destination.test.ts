import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { afterFile } from '../../../test/support/each-file.ts';
import { waitUntil } from '../../../test/support/factories.ts';
import { programPath } from '../../../test/support/service.ts';
import { createLogDestination } from './log-destination.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-log-'));
afterFile(() => rmSync(folder, { recursive: true }));

it('[ops.log-lines] lines are gathered, and written in order soon after', async () => {
  const path = join(folder, 'log');
  const descriptor = openSync(path, 'a');
  const log = createLogDestination(descriptor);
  const lines = Array.from({ length: 2_000 }, (_, number) => `line ${number}\n`);
  for (const line of lines) log.write(line);
  await waitUntil('all are written', () => readFileSync(path, 'utf8') === lines.join(''));
  closeSync(descriptor);
});

it('[ops.log-lines] the last lines are written before the process ends', () => {
  const module = new URL('cli/serve/log-destination.js', `file://${programPath}`);
  for (const end of ['process.exit(3)', 'throw new Error("over")']) {
    const script = `import { createLogDestination } from '${module}';
      createLogDestination().write('the last line\\n'); ${end};`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(String(stderr)).toContain('the last line');
  }
});
