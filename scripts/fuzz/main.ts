/**
 * Sends requests that are made from the OpenAPI document to the built service, valid, nearly valid
 * and invalid ones, with keys of every kind. Nothing may be answered with a 5xx but 503, no memory
 * may be lost, and a stranger must never see what is private, nor learn from the time of an answer
 * that it exists. Usage: npm run fuzz -- --minutes 10 [--seed 1]
 */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { startService } from '../../bench/load/service.ts';
import { capabilitySettings } from './capability-settings.ts';
import { compareTimes } from './compare-times.ts';
import { CANARY, type FuzzCaller, type FuzzGround, prepareGround } from './fuzz-callers.ts';
import type { Known } from './fuzz-inputs.ts';
import { KnownValues, toKind } from './known-values.ts';
import { findMedian } from './median.ts';
import { type ApiDescription, listRequests } from './openapi-requests.ts';
import { type Answer, lostConnections, sendRequest } from './send-request.ts';

const WORKERS = 6;
/** Requests that one worker draws for an operation before it takes the next one. */
const DRAWN = 6;
/** How often the callers are replaced by new ones. */
const RENEW_MS = 15_000;
/** Operations that end their caller, or another one: few calls of them are enough. */
const ENDING = /^(revoke.*Key|revokeKey|rotateKey|block.*|recoverAgent)$/;
const ENDING_EVERY = 60;
/**
 * Operations by which a stranger would become a member of the private room. The fuzz knows the
 * tokens of its owner, so a stranger that drew one would then see it by right.
 */
const ADMITTING = /^accept(?:Invitation|NamedInvitation|Owner)$/;
/** How much more memory the last part of a run may use than the part after the warm-up. */
const MAX_GROWTH = { times: 1.5, mebibytes: 100 } as const;
/** Below this time the memory is still growing to its usual size. */
const MINUTES_FOR_MEMORY = 4;
const settings = {
  ...capabilitySettings,
  RATE_LIMITS: 'off',
  DISK_FLOOR_BYTES: '0',
  LOG_LEVEL: 'error',
};

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const minutes = Number(flags.minutes);
const seed = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31));
const say = (line: string) => process.stdout.write(`${line}\n`);

const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });

/** Returns what is wrong with an answer; null when nothing is. */
function findFault({ status, text }: Answer, caller: FuzzCaller): string | null {
  if (status >= 500 && status !== 503) return `answered ${status}: ${text.slice(0, 500)}`;
  if (!caller.mayKnow && text.includes(CANARY)) return 'showed what is private';
  return null;
}

/** Parses an answer; null for a page or a document. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const readMebibytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Runs the fuzz until the time is over. Returns the faults. */
async function runFuzz(
  url: string,
  pid: number,
  renewGround: () => Promise<FuzzGround>,
): Promise<string[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDescription;
  const values = new KnownValues();
  // The newest value is drawn when a request is made, not when the arbitrary is built.
  const known: Known = (name, others) =>
    fc
      .tuple(fc.nat(5), fc.nat(1000), others)
      .map(([chance, draw, other]) =>
        chance === 0 ? other : (values.pick(toKind(name), draw) ?? other),
      );
  const operations = listRequests(document, known);
  for (const { name } of operations) values.add('operation', name);
  for (const name of ['quickstart', 'rules', 'errors']) values.add('name', name);
  const end = Date.now() + minutes * 60_000;
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  const succeeded = new Set<string>();
  const memory: number[] = [];
  let drawn = 0;
  let ground = await renewGround();
  // What callers may do to themselves, such as revoking their keys, would end the fuzz of the rest.
  const renewing = setInterval(() => {
    renewGround().then(
      (fresh) => {
        ground = fresh;
      },
      (error: unknown) => faults.push(`No new callers: ${error}`),
    );
  }, RENEW_MS);

  async function work(worker: number): Promise<void> {
    for (let turn = 0; Date.now() < end && faults.length < 20; turn++) {
      const place = worker * DRAWN + turn;
      const operation = operations[place % operations.length];
      const runSeed = seed + worker * 1_000_003 + turn;
      for (const sample of fc.sample(operation?.requests ?? fc.constant(null as never), {
        numRuns: DRAWN,
        seed: runSeed,
      })) {
        drawn += 1;
        if (ENDING.test(sample.operation) && drawn % ENDING_EVERY !== 0) continue;
        const caller = ground.callers[drawn % ground.callers.length] as FuzzCaller;
        if (ADMITTING.test(sample.operation) && !caller.mayKnow) continue;
        const answer = await sendRequest(agent, url, sample, caller.headers);
        const kind = `${Math.floor(answer.status / 100)}xx`;
        statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
        if (answer.status === 200) {
          succeeded.add(sample.operation);
          values.learn(sample.collection, parseJson(answer.text));
        }
        const fault = findFault(answer, caller);
        if (fault)
          faults.push(
            `${sample.method} ${sample.path} as ${caller.name} ${fault}\n  body: ` +
              `${sample.body?.toString('base64') ?? 'none'}`,
          );
      }
    }
  }

  const ticker = setInterval(() => {
    memory.push(readMebibytes(pid));
    if (memory.length % 10 === 0)
      say(`${drawn} requests, ${memory.at(-1)?.toFixed(0)} MiB, ${faults.length} faults`);
  }, 1000);
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  clearInterval(ticker);
  clearInterval(renewing);

  const part = Math.floor(memory.length / 4);
  const early = findMedian(memory.slice(part, 2 * part));
  const late = findMedian(memory.slice(-part));
  say(
    `${drawn} requests to ${operations.length} operations, of which ${succeeded.size} also ` +
      `succeeded: ${[...statuses].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
  );
  const never = operations.map(({ name }) => name).filter((name) => !succeeded.has(name));
  say(`never succeeded: ${never.join(', ') || 'none'}`);
  say(`${lostConnections.count} kept connections ended when they were used again`);
  say(`memory: ${early.toFixed(0)} MiB after the warm-up, ${late.toFixed(0)} MiB at the end`);
  const grew = late > early * MAX_GROWTH.times && late - early > MAX_GROWTH.mebibytes;
  if (minutes >= MINUTES_FOR_MEMORY && grew) faults.push('The memory grew.');
  return faults;
}

say(`seed ${seed}, ${minutes} min`);
const service = await startService(settings);
let faults: string[];
try {
  const ground = await prepareGround(service.url, service.adminKey);
  const leaks = await compareTimes(agent, service.url, ground, say);
  faults = [
    ...leaks.map((line) => `The time tells what exists: ${line}`),
    ...(await runFuzz(service.url, service.pid, () =>
      prepareGround(service.url, service.adminKey),
    )),
  ];
} finally {
  agent.destroy();
  await service[Symbol.asyncDispose]();
}
for (const fault of faults) say(`FAULT  ${fault}`);
say(faults.length === 0 ? 'No fault was found.' : `${faults.length} faults, seed ${seed}.`);
process.exitCode = faults.length === 0 ? 0 : 1;
