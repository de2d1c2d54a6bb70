import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkResult, countLostClaims, type Findings } from './check.ts';
import { createMember, type Member, type MemberCommand } from './member.ts';
import { type Options, parseOptions, root } from './options.ts';
import { createRandom } from './random.ts';
import { startService } from './service.ts';

/*
 * Runs the team on real files, kills its members with SIGKILL at random, starts them again, and
 * checks over HTTP what came of it. The exit code is 0 if each file was reviewed exactly once and
 * the outcome stands.
 */

/** Short, so that claims of killed reviewers run out while others still work. */
const LEASE_SECONDS = 5;
const KILL_EVERY_MS = 600;
const LIMIT_MS = 300_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const options = parseOptions(process.argv.slice(2));
const { files } = options;
// The members are started where the files are.
process.chdir(options.cwd);
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'stoa-team-'));
// The user of the embedded database enters it.
chmodSync(folder, 0o755);

/** Returns how each member is started. Handles are new ones, because they are taken for ever. */
function listCommands(
  url: string,
  hook: Readonly<Record<string, string>>,
  { seconds }: Options,
): [lead: MemberCommand, ...reviewers: MemberCommand[]] {
  const suffix = randomBytes(3).toString('hex');
  const lead = `lead-${suffix}`;
  const node = (name: string) => [process.execPath, join(root, 'dist', name)];
  const build = (
    handle: string,
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): MemberCommand => ({
    handle,
    words,
    env: {
      STOA_URL: url,
      HANDLE: handle,
      LEAD: lead,
      STATE: join(folder, `${handle}.json`),
      KEY_FILE: join(folder, `${handle}.key`),
      LEASE_SECONDS: String(LEASE_SECONDS),
      REVIEW_SECONDS: String(seconds),
      ...more,
    },
  });
  const reviewers = [
    build(`stream-${suffix}`, node('examples/team/reviewer.js')),
    build(`hook-${suffix}`, ['python3', join(root, 'examples/team/reviewer.py')], hook),
    build(`watch-${suffix}`, [join(root, 'examples/team/reviewer.sh')], {
      STOA: node('src/main.js').join(' '),
    }),
  ];
  const names = reviewers.map(({ handle }) => handle).join(',');
  return [build(lead, [...node('examples/team/lead.js'), names, ...files]), ...reviewers];
}

/**
 * Kills members at random until all kills are used. Returns how many of them came before the lead
 * had stated the outcome.
 */
async function killAtRandom(members: readonly Member[], { kills, seed }: Options): Promise<number> {
  const random = createRandom(seed);
  let before = 0;
  for (let kill = 1; kill <= kills; kill++) {
    await sleep(KILL_EVERY_MS * (0.5 + random()));
    // All may be away at once: then it waits for the first who is back.
    while (!members.some(({ isAlive }) => isAlive)) await sleep(100);
    const alive = members.filter(({ isAlive }) => isAlive);
    const member = alive[Math.floor(random() * alive.length)];
    if (!member) continue;
    const ended = member.kill(random() < 0.5 ? 'group' : 'alone');
    if (!lead.isDone) before = kill;
    say(`kill ${kill} of ${kills}: ${member.handle}`);
    // Once in five times it stays away until its claims have run out, so that others take them.
    const away = random() < 0.2 ? LEASE_SECONDS + 1 : random();
    void ended.then(() => setTimeout(member.start, away * 1_000));
  }
  return before;
}

async function waitUntilDone(lead: Member): Promise<void> {
  for (const end = Date.now() + LIMIT_MS; !lead.isDone; await sleep(100))
    if (Date.now() > end) throw new Error(`There is no outcome yet. The logs are in ${folder}.`);
}

async function report(members: readonly Member[], url: string, found: Findings): Promise<void> {
  say('\n| agent | killed | answers | claims lost |');
  say('|---|---|---|---|');
  for (const { handle, kills } of members) {
    const lost = await countLostClaims(url, readKey(handle));
    say(`| ${handle} | ${kills} | ${found.answers.get(handle) ?? 0} | ${lost} |`);
  }
  say(`\n${found.summary}`);
}

/** Reads the key of a member: those in TypeScript have a state, the others a file with the key. */
function readKey(handle: string): string {
  const state = join(folder, `${handle}.json`);
  if (!existsSync(state)) return readFileSync(join(folder, `${handle}.key`), 'utf8');
  return (JSON.parse(readFileSync(state, 'utf8')) as { apiKey: string }).apiKey;
}

const service =
  options.url === null
    ? await startService(folder)
    : { url: options.url, hook: {}, stop: async () => {} };
const [leadCommand, ...reviewerCommands] = listCommands(service.url, service.hook, options);
const lead = createMember(leadCommand, folder);
const reviewers = reviewerCommands.map((command) => createMember(command, folder));
const members = [lead, ...reviewers];
try {
  say(`${files.length} files, ${options.kills} kills, seed ${options.seed}, at ${service.url}`);
  const startedAt = Date.now();
  for (const member of members) member.start();
  const [seconds, before] = await Promise.all([
    waitUntilDone(lead).then(() => Math.round((Date.now() - startedAt) / 1_000)),
    killAtRandom(members, options),
  ]);
  const handles = reviewers.map(({ handle }) => handle);
  const check = () => checkResult(service.url, readKey(lead.handle), handles, files);
  const found = await check();
  // Started again when all is done, the lead changes nothing, not even the time of the outcome.
  lead.start();
  await waitUntilDone(lead);
  assert.deepEqual(await check(), found);
  await report(members, service.url, found);
  say(`\nEach of ${files.length} files was reviewed exactly once, in ${seconds} s.`);
  say(`${before} of ${options.kills} kills came before the outcome, which stands.`);
} catch (error) {
  process.exitCode = 1;
  say(`FAILED: ${(error as Error).message}`);
} finally {
  for (const member of members) member.end();
  await service.stop();
  if (options.keep || process.exitCode) say(`Keys and logs are in ${folder}.`);
  else rmSync(folder, { recursive: true, force: true });
}
