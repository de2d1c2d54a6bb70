import type { Agent } from 'node:http';
import fc from 'fast-check';
import { Findings } from './findings.ts';
import type { FuzzCaller, FuzzGround } from './fuzz-callers.ts';
import type { Known } from './fuzz-inputs.ts';
import { KnownValues, toKind } from './known-values.ts';
import { MemoryWatch } from './memory-watch.ts';
import { type ApiDescription, type FuzzRequest, listRequests } from './openapi-requests.ts';
import { buildRawConnections, sendRaw } from './raw-requests.ts';
import { lostConnections, sendRequest } from './send-request.ts';

/** Requests of the document, and connections with raw bytes, that are under way at a time. */
export const WORKERS = 6;
const RAW = 8;
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

/** What a run needs. */
export interface FuzzOptions {
  readonly agent: Agent;
  readonly url: string;
  /** Of the process whose memory is watched. */
  readonly pid: number;
  readonly minutes: number;
  readonly seed: number;
  readonly renewGround: () => Promise<FuzzGround>;
  readonly say: (line: string) => void;
}

/** Parses an answer; null for a page or a document. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The newest value is drawn when a request is made, not when the arbitrary is built. */
const drawFrom =
  (values: KnownValues): Known =>
  (name, others) =>
    fc
      .tuple(fc.nat(5), fc.nat(1000), others)
      .map(([chance, draw, other]) =>
        chance === 0 ? other : (values.pick(toKind(name), draw) ?? other),
      );

const describeRequest = ({ method, path, headers, body }: FuzzRequest, { name }: FuzzCaller) =>
  `${method} ${path} ${JSON.stringify(headers)} as ${name}, ` +
  `body ${body?.toString('base64') ?? 'none'}`;

/** Runs the fuzz until the time is over, or the service. Returns the faults. */
export async function runFuzz(options: FuzzOptions): Promise<readonly string[]> {
  const { agent, url, seed, renewGround, say } = options;
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDescription;
  const values = new KnownValues();
  const operations = listRequests(document, drawFrom(values));
  const connections = buildRawConnections(Object.keys(document.paths));
  for (const { name } of operations) values.add('operation', name);
  for (const name of ['quickstart', 'rules', 'errors']) values.add('name', name);
  const end = Date.now() + options.minutes * 60_000;
  const findings = new Findings();
  const memory = new MemoryWatch(options.pid);
  const statuses = new Map<string, number>();
  const succeeded = new Set<string>();
  const counts = { drawn: 0, raw: 0 };
  let ground = await renewGround();
  const goesOn = () => Date.now() < end && !findings.areEnough;

  async function send(sample: FuzzRequest, caller: FuzzCaller): Promise<void> {
    const description = describeRequest(sample, caller);
    findings.noteRequest(description);
    const answer = await sendRequest(agent, url, sample, caller.headers);
    const kind = `${Math.floor(answer.status / 100)}xx`;
    statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
    if (answer.status === 200) {
      succeeded.add(sample.operation);
      values.learn(sample.collection, parseJson(answer.text));
    }
    findings.check(description, answer, caller.mayKnow);
  }

  async function sendRequests(worker: number): Promise<void> {
    for (let turn = 0; goesOn(); turn++) {
      const operation = operations[(worker * DRAWN + turn) % operations.length];
      const runSeed = seed + worker * 1_000_003 + turn;
      for (const sample of fc.sample(operation?.requests ?? fc.constant(null as never), {
        numRuns: DRAWN,
        seed: runSeed,
      })) {
        counts.drawn += 1;
        if (ENDING.test(sample.operation) && counts.drawn % ENDING_EVERY !== 0) continue;
        const caller = ground.callers[counts.drawn % ground.callers.length] as FuzzCaller;
        if (ADMITTING.test(sample.operation) && !caller.mayKnow) continue;
        await send(sample, caller);
      }
    }
  }

  /** Sends what a stranger would send that speaks HTTP badly, or not at all. */
  async function sendBytes(worker: number): Promise<void> {
    for (let turn = 0; goesOn(); turn++) {
      const place = { numRuns: DRAWN, seed: seed - 1 - worker - RAW * turn };
      for (const sample of fc.sample(connections, place)) {
        counts.raw += 1;
        const description = `the bytes ${sample.bytes.toString('base64')}`;
        findings.noteRequest(description);
        for (const answer of await sendRaw(url, sample)) findings.check(description, answer, false);
      }
    }
  }

  // What callers may do to themselves, such as revoking their keys, would end the fuzz of the rest.
  const renewing = setInterval(() => {
    renewGround().then(
      (fresh) => {
        ground = fresh;
      },
      (error: unknown) => findings.faults.push(`No new callers: ${error}`),
    );
  }, RENEW_MS);
  let seconds = 0;
  const ticker = setInterval(() => {
    try {
      const mebibytes = memory.read();
      seconds += 1;
      if (seconds % 10 === 0)
        say(
          `${counts.drawn} requests, ${mebibytes.toFixed(0)} MiB, ${findings.faults.length} faults`,
        );
    } catch (error) {
      findings.noteEnd(error);
    }
  }, 1000);
  const work = [
    ...Array.from({ length: WORKERS }, (_, worker) => sendRequests(worker)),
    ...Array.from({ length: RAW }, (_, worker) => sendBytes(worker)),
  ];
  await Promise.all(work.map((one) => one.catch((error) => findings.noteEnd(error))));
  clearInterval(ticker);
  clearInterval(renewing);

  say(
    `${counts.drawn} requests to ${operations.length} operations, of which ${succeeded.size} ` +
      `also succeeded: ${[...statuses].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
  );
  say(`${counts.raw} connections with raw bytes`);
  const never = operations.map(({ name }) => name).filter((name) => !succeeded.has(name));
  say(`never succeeded: ${never.join(', ') || 'none'}`);
  say(`${lostConnections.count} kept connections ended when they were used again`);
  const { early, late, grew } = memory.compareQuarters();
  say(`memory: ${early.toFixed(0)} MiB after the warm-up, ${late.toFixed(0)} MiB at the end`);
  return grew ? [...findings.faults, 'The memory grew.'] : findings.faults;
}
