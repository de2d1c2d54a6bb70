/**
 * Runs the public conformance suite of the tool protocol: every server scenario at both revisions,
 * unless a table gives the reason why it does not apply. A scenario that is in no table fails.
 * Usage: node scripts/mcp-conformance.ts <suite> <service> <fixture>
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [suite = '', service = '', fixture = ''] = process.argv.slice(2);
const revisions = ['2025-11-25', '2026-07-28'];

/** The scenarios that run against the service itself. */
const serviceScenarios = [
  'server-initialize',
  'server-stateless',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'sep-2164-resource-not-found',
  'prompts-list',
  'dns-rebinding-protection',
  'caching',
  'http-header-validation',
  'input-required-result-unsupported-methods',
];

/**
 * The scenarios that need tools, resources and prompts of fixed names. They run against the same
 * code with these names (scripts/mcp-fixture.ts).
 */
const fixtureScenarios = [
  'tools-call-simple-text',
  'tools-call-error',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
];

const NO_INPUT = 'an optional feature that is not declared: no tool asks the client for input';
const NO_TASKS = 'an extension that is not declared: no call outlives its answer';
const NO_SKILLS = 'an extension that is not declared: skills';
const ONLY_JSON =
  'no tool returns this content type: all return JSON, as text and as structured content';

const notApplicable: Readonly<Record<string, string>> = {
  'server-session-lifecycle': 'the service is stateless and has no sessions',
  'logging-set-level':
    'an optional capability that is not declared: logging, deprecated in 2026-07-28',
  'completion-complete': 'an optional capability that is not declared: completions',
  'tools-call-image': ONLY_JSON,
  'tools-call-audio': ONLY_JSON,
  'tools-call-embedded-resource': ONLY_JSON,
  'tools-call-mixed-content': ONLY_JSON,
  'tools-call-with-logging': 'logging is not declared',
  'tools-call-with-progress':
    'optional: a call returns at once or waits for events, which has no progress to report',
  'tools-call-sampling': NO_INPUT,
  'tools-call-elicitation': NO_INPUT,
  'elicitation-sep1034-defaults': NO_INPUT,
  'elicitation-sep1330-enums': NO_INPUT,
  'json-schema-2020-12':
    'needs a tool of the reference server by name; ours have no $defs or conditions ' +
    '(pending in the suite itself)',
  'server-sse-polling':
    'needs sessions and resumable streams, but the service is stateless (pending in the suite ' +
    'itself)',
  'resources-subscribe':
    'needs a session, and is not declared at 2025-11-25; at 2026-07-28 there is ' +
    'subscriptions/listen',
  'resources-unsubscribe': 'the same as resources-subscribe',
  'prompts-get-embedded-resource': 'no prompt contains a resource',
  'prompts-get-with-image': 'no prompt contains an image',
  'http-custom-header-server-validation':
    'needs a tool with x-mcp-header; ours have no argument that a proxy should read',
  'sep-2640-skills-directory': NO_SKILLS,
  'sep-2640-skills-enumeration': NO_SKILLS,
  'sep-2640-skills-manifest': NO_SKILLS,
};

const notApplicableFamilies: readonly (readonly [RegExp, string])[] = [
  [/^input-required-result-/, NO_INPUT],
  [/^tasks-/, NO_TASKS],
];

/** The revisions at which a scenario checks nothing without a session. */
const onlyWithSession: Readonly<Record<string, string>> = {
  'server-sse-multiple-streams': '2025-11-25',
};

/** Checks within a scenario that need a diagnostic tool of the reference server. */
const untestable: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability':
    'no tool of ours needs a capability of the client',
  'sep-2575-missing-capability-http-400': 'no tool of ours needs a capability of the client',
  'sep-2575-http-server-no-independent-requests-on-stream': 'no tool of ours answers as a stream',
  'sep-2575-server-no-log-without-loglevel': 'nothing is logged to clients',
};

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const run = promisify(execFile);
const work = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));

/** Lists every server scenario of the suite, with its revisions. */
async function listScenarios(): Promise<Map<string, string[]>> {
  const { stdout } = await run(process.execPath, [suite, 'list']);
  const listed = stdout.slice(
    stdout.indexOf('Server scenarios'),
    stdout.indexOf('Client scenarios'),
  );
  return new Map(
    [...listed.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm)].map(([, name = '', versions = '']) => [
      name,
      revisions.filter((one) => versions.includes(one)),
    ]),
  );
}

/** Runs a scenario and returns its faults, one line each. */
async function runScenario(name: string, url: string, revision: string): Promise<string[]> {
  const folder = join(work, `${name}-${revision}`);
  const result = await run(process.execPath, [
    suite,
    'server',
    '--url',
    `${url}/mcp`,
    '--scenario',
    name,
    '--spec-version',
    revision,
    '-o',
    folder,
  ]).catch((error: { readonly stdout?: string }) => error);
  let checks: Check[];
  try {
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith('checks.json'),
    );
    checks = JSON.parse(readFileSync(join(folder, file ?? ''), 'utf8')) as Check[];
  } catch {
    return [`${name} (${revision}): ${result.stdout}`];
  }
  if (!checks.some(({ status }) => status === 'SUCCESS'))
    return [`${name} (${revision}): nothing was checked`];
  return checks.flatMap(({ id, status, errorMessage }) =>
    status === 'FAILURE' && !(id in untestable && errorMessage?.startsWith('Not testable'))
      ? [`${name} (${revision}) ${id}: ${errorMessage}`]
      : [],
  );
}

const knownScenarios = await listScenarios();
const findReason = (name: string) =>
  notApplicable[name] ?? notApplicableFamilies.find(([pattern]) => pattern.test(name))?.[1];
const targets = [
  ...serviceScenarios.map((name) => [name, service] as const),
  ...fixtureScenarios.map((name) => [name, fixture] as const),
];
const runs = targets.flatMap(([name, url]) =>
  (knownScenarios.get(name) ?? [])
    .filter((revision) => onlyWithSession[name] !== revision)
    .map((revision) => ({ name, url, revision })),
);
const faults = [...knownScenarios.keys()]
  .filter((name) => !targets.some(([one]) => one === name) && !findReason(name))
  .map((name) => `${name}: is in no table; add it to one`);
const finished = runs.length;
const runWorker = async () => {
  for (let next = runs.shift(); next; next = runs.shift())
    faults.push(...(await runScenario(next.name, next.url, next.revision)));
};
await Promise.all([runWorker(), runWorker()]);
rmSync(work, { recursive: true });

const skipped = [...knownScenarios.keys()].filter((name) => !targets.some(([one]) => one === name));
for (const name of skipped) process.stdout.write(`does not apply: ${name}: ${findReason(name)}\n`);
for (const [id, reason] of Object.entries(untestable))
  process.stdout.write(`not testable: ${id}: ${reason}\n`);
for (const fault of faults) process.stdout.write(`FAILED ${fault}\n`);
process.stdout.write(`${finished} runs of ${targets.length} scenarios, ${faults.length} faults\n`);
process.exitCode = faults.length > 0 || finished < targets.length ? 1 : 0;
