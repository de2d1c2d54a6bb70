/**
 * Sends requests that are made from the OpenAPI document to the built service, valid, nearly valid
 * and invalid ones, with keys of every kind, and bytes that are hardly a request. The service must
 * live and answer with no 5xx but 503, no memory may be lost, nothing may be held that has ended,
 * and a stranger must never see what is private, nor learn from the time of an answer that it is
 * there.
 * Usage: npm run fuzz -- --help
 */
import { Agent } from 'node:http';
import { Command } from 'commander';
import { startService } from '../../bench/load/service.ts';
import { parseAmount } from '../parse-amount.ts';
import { capabilitySettings } from './capability-settings.ts';
import { compareTimes } from './compare-times.ts';
import { prepareGround } from './fuzz-callers.ts';
import { findHeldWork } from './held-work.ts';
import { runFuzz, WORKERS } from './run-fuzz.ts';

const settings = {
  ...capabilitySettings,
  RATE_LIMITS: 'off',
  DISK_FLOOR_BYTES: '0',
  LOG_LEVEL: 'error',
};

const flags = new Command('fuzz')
  .description('sends requests of every kind, and looks for what none of them may do')
  .option('--minutes <number>', 'duration', parseAmount, 1)
  .option('--seed <number>', 'seed of the requests (default: a random one)', parseAmount)
  .parse()
  .opts<{ readonly minutes: number; readonly seed?: number }>();
const { minutes, seed = Math.floor(Math.random() * 2 ** 31) } = flags;
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`seed ${seed}, ${minutes} min`);
const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });
const service = await startService(settings);
const renewGround = () => prepareGround(service.url, service.adminKey);
const faults: string[] = [];
try {
  const leaks = await compareTimes(agent, service.url, await renewGround(), say);
  faults.push(...leaks.map((line) => `The time tells what exists: ${line}`));
  const { url, pid } = service;
  const found = await runFuzz({ agent, url, pid, minutes, seed, renewGround, say });
  faults.push(...found);
  agent.destroy();
  if (found.length === 0) {
    const held = await findHeldWork(url, service.adminKey);
    faults.push(...held.map((line) => `Something is held for ever: ${line}`));
  }
} finally {
  agent.destroy();
  await service[Symbol.asyncDispose]();
}
for (const fault of faults) say(`FAULT  ${fault}`);
say(faults.length === 0 ? 'No fault was found.' : `${faults.length} faults, seed ${seed}.`);
process.exitCode = faults.length === 0 ? 0 : 1;
