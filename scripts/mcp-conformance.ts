/**
 * Runs the public conformance suite of the tool protocol: every scenario of a server, at both revisions, or the reason why it does not
 * apply. A scenario that the suite has and this table has not fails. Usage: node scripts/mcp-conformance.ts <suite> <service> <fixture>
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [suite = '', service = '', fixture = ''] = process.argv.slice(2);
const revisions = ['2025-11-25', '2026-07-28'];

/** Against the service itself. */
const ofService = [
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

/** Those that ask for tools, resources and prompts of fixed names: against the same code, with these (scripts/mcp-fixture.ts). */
const ofFixture = [
  'tools-call-simple-text',
  'tools-call-error',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
];

const noInput = 'an optional feature that is not declared: no tool asks the client for input';
const noTasks = 'an extension that is not declared: no call outlives its answer';
const noSkills = 'an extension that is not declared: skills';
const onlyJson =
  'a kind of content that no tool answers: they answer JSON, as text and as structured content';

const notApplicable: Readonly<Record<string, string>> = {
  'server-session-lifecycle': 'the service is stateless: it gives no session',
  'logging-set-level':
    'an optional capability that is not declared: logging, deprecated in 2026-07-28',
  'completion-complete': 'an optional capability that is not declared: completions',
  'tools-call-image': onlyJson,
  'tools-call-audio': onlyJson,
  'tools-call-embedded-resource': onlyJson,
  'tools-call-mixed-content': onlyJson,
  'tools-call-with-logging': 'logging is not declared',
  'tools-call-with-progress':
    'optional: a call answers at once or waits for events, of which there is no progress to tell',
  'tools-call-sampling': noInput,
  'tools-call-elicitation': noInput,
  'elicitation-sep1034-defaults': noInput,
  'elicitation-sep1330-enums': noInput,
  'json-schema-2020-12':
    'looks for a tool of the reference server by name; ours have no $defs or conditions (pending in the suite itself)',
  'server-sse-polling':
    'needs sessions and streams that are resumed; the service is stateless (pending in the suite itself)',
  'resources-subscribe':
    'needs a session, and is not declared at 2025-11-25; at 2026-07-28 there is subscriptions/listen',
  'resources-unsubscribe': 'the same',
  'prompts-get-embedded-resource': 'no prompt has a resource in it',
  'prompts-get-with-image': 'no prompt has an image in it',
  'http-custom-header-server-validation':
    'needs a tool with x-mcp-header; ours have no argument that a proxy should read',
  'sep-2640-skills-directory': noSkills,
  'sep-2640-skills-enumeration': noSkills,
  'sep-2640-skills-manifest': noSkills,
};

const notApplicableFamilies: readonly (readonly [RegExp, string])[] = [
  [/^input-required-result-/, noInput],
  [/^tasks-/, noTasks],
];

/** At these revisions there is nothing to check without a session. */
const onlyWithSession: Readonly<Record<string, string>> = {
  'server-sse-multiple-streams': '2025-11-25',
};

/** Checks inside of a scenario that need a diagnostic tool of the reference server. */
const untestable: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability':
    'no tool of ours needs a capability of the client',
  'sep-2575-missing-capability-http-400': 'the same',
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

/** Every server scenario of the suite, with the revisions that it is for. */
async function scenarios(): Promise<Map<string, string[]>> {
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

/** What is wrong, a line each. */
async function faults(name: string, url: string, revision: string): Promise<string[]> {
  const folder = join(work, `${name}-${revision}`);
  const said = await run(process.execPath, [
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
    return [`${name} (${revision}): ${said.stdout}`];
  }
  if (!checks.some(({ status }) => status === 'SUCCESS'))
    return [`${name} (${revision}): nothing was checked`];
  return checks.flatMap(({ id, status, errorMessage }) =>
    status === 'FAILURE' && !(id in untestable && errorMessage?.startsWith('Not testable'))
      ? [`${name} (${revision}) ${id}: ${errorMessage}`]
      : [],
  );
}

const known = await scenarios();
const reasonFor = (name: string) =>
  notApplicable[name] ?? notApplicableFamilies.find(([pattern]) => pattern.test(name))?.[1];
const targets = [
  ...ofService.map((name) => [name, service] as const),
  ...ofFixture.map((name) => [name, fixture] as const),
];
const runs = targets.flatMap(([name, url]) =>
  (known.get(name) ?? [])
    .filter((revision) => onlyWithSession[name] !== revision)
    .map((revision) => ({ name, url, revision })),
);
const found = [...known.keys()]
  .filter((name) => !targets.some(([one]) => one === name) && !reasonFor(name))
  .map((name) => `${name}: neither run nor excused`);
const done = runs.length;
const worker = async () => {
  for (let next = runs.shift(); next; next = runs.shift())
    found.push(...(await faults(next.name, next.url, next.revision)));
};
await Promise.all([worker(), worker()]);
rmSync(work, { recursive: true });

const skipped = [...known.keys()].filter((name) => !targets.some(([one]) => one === name));
for (const name of skipped) process.stdout.write(`does not apply: ${name}: ${reasonFor(name)}\n`);
for (const [id, reason] of Object.entries(untestable))
  process.stdout.write(`not testable: ${id}: ${reason}\n`);
for (const fault of found) process.stdout.write(`FAILED ${fault}\n`);
process.stdout.write(`${done} runs of ${targets.length} scenarios, ${found.length} faults\n`);
process.exitCode = found.length > 0 || done < targets.length ? 1 : 0;
