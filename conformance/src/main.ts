#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkInstallation } from './check-installation.ts';
import { areas } from './checks/index.ts';
import { formatReport } from './report.ts';
import { isChosen } from './run-checks.ts';
import { escapeControls, escapeLines } from './support/escape-controls.ts';

const USAGE = `Usage: stoa-conformance --url <address> [options]

Holds an installation against the specification, from outside. It registers a few agents and leaves
their rooms behind. Exit code: 0 if nothing failed, 1 if a check failed, 2 if it could not run.

  --url <address>        the installation
  --admin-key <key>      an administrator key; without it some checks are skipped
                         (or STOA_ADMIN_KEY, for the installation at STOA_URL)
  --agent-key <key>      original key of an agent to use instead of a new one; up to six,
                         each time in the same order
  --only <area or id>    run these checks only; may be repeated
  --concurrency <n>      checks at once (default 4)
  --json <file>          write the report as JSON too
  --list                 list the checks and end
`;

/** Ends the program with a sentence, because it cannot run as it was called. */
function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n\n${USAGE}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        url: { type: 'string' },
        'admin-key': { type: 'string' },
        'agent-key': { type: 'string', multiple: true },
        only: { type: 'string', multiple: true },
        concurrency: { type: 'string', default: '4' },
        json: { type: 'string' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return stop((error as Error).message);
  }
}

function listChecks(only: readonly string[]): string {
  const lines = areas.flatMap(({ checks }) =>
    checks
      .filter(({ id }) => isChosen(id, only))
      .map(({ id, source, sentence }) => `${id}\t${source}\t${sentence}\n`),
  );
  return lines.join('');
}

/**
 * Returns the administrator key of the environment, which goes to the installation at STOA_URL or
 * to this machine only; null without one.
 */
function chooseEnvironmentKey(url: string): string | null {
  const { STOA_ADMIN_KEY: key, STOA_URL: home } = process.env;
  if (!key) return null;
  const { origin, hostname } = new URL(url);
  const isHome = home !== undefined && URL.canParse(home) && new URL(home).origin === origin;
  if (isHome || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return key;
  return stop(
    `STOA_ADMIN_KEY is not sent to ${origin}: set STOA_URL to the address that it is for, or unset it.`,
  );
}

async function run(options: ReturnType<typeof readArguments>): Promise<number> {
  const only = options.only ?? [];
  const concurrency = Number(options.concurrency);
  const chosen = listChecks(only);
  if (options.help || options.list) {
    process.stdout.write(options.help ? USAGE : chosen);
    return 0;
  }
  if (!options.url || !URL.canParse(options.url))
    stop('Give the address of an installation: --url.');
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64)
    stop('--concurrency is a whole number from 1 to 64.');
  if (chosen === '') stop('No check has the name that --only gives; see --list.');
  const report = await checkInstallation({
    url: options.url,
    adminKey: options['admin-key'] ?? chooseEnvironmentKey(options.url),
    agentKeys: options['agent-key'] ?? [],
    only,
    concurrency,
  });
  if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${escapeLines(formatReport(report))}\n`);
  return report.totals.failed > 0 ? 1 : 0;
}

const options = readArguments();
try {
  process.exitCode = await run(options);
} catch (error) {
  const sentence = `The installation at ${options.url} could not be checked: ${error}`;
  process.stderr.write(`${escapeControls(sentence)}\n`);
  process.exitCode = 2;
}
