import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A profile as V8 writes it (the protocol of Chrome's developer tools, `Profiler.Profile`). */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  /** Microseconds of a clock that never goes back. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A span of time in microseconds of the same clock (`process.hrtime`). */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Where processor time went: microseconds by the name of the part. */
export type TimeByPart = ReadonlyMap<string, number>;

const IDLE = '(idle)';

/** Names the part of the program that a function belongs to. */
function namePart(functionName: string, url: string): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return functionName === '(program)' ? 'native code' : 'built-in functions';
  const [, builtIn] = /^node:(?:internal\/)?([^/]+)/.exec(url) ?? [];
  if (builtIn !== undefined) return `Node.js: ${builtIn}`;
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name !== undefined) return name;
  const [, own] = /dist\/(?:src|client)\/((?:[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  return own ?? 'Stoa: other';
}

/** Reads the only profile of a folder. */
export function readProfile(folder: string): CpuProfile {
  const name = readdirSync(folder).find((one) => one.endsWith('.cpuprofile'));
  if (name === undefined) throw new Error(`There is no profile in ${folder}.`);
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile;
}

/** Sums up where time went within a span, by part and by function. */
export function sumUpProfile(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  { from, to }: TimeSpan,
): { readonly parts: TimeByPart; readonly functions: TimeByPart } {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, time: number) =>
    void sums.set(name, (sums.get(name) ?? 0) + time);
  let at = startTime;
  for (const [nr, id] of samples.entries()) {
    const delta = timeDeltas[nr] ?? 0;
    at += delta;
    const frame = frames.get(id);
    if (!frame || frame.functionName === IDLE || at < from || at > to) continue;
    const part = namePart(frame.functionName, frame.url);
    add(parts, part, delta);
    add(functions, `${frame.functionName || 'anonymous'} (${part})`, delta);
  }
  return { parts, functions };
}
