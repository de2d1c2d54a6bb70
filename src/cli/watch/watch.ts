import { setTimeout as sleep } from 'node:timers/promises';
import { computeDelay } from '../../../client/src/calls/call-until-answered.ts';
import { CommandError } from '../describe-error.ts';
import { writeErrorLine } from '../print.ts';
import { followForEver, type Tell } from './follow-for-ever.ts';
import { openReader, type ReaderFlags } from './open-reader.ts';
import { describeEnding, type Ending, runWithInput } from './run-for-event.ts';
import { withPauses } from './with-pauses.ts';

/** The flags of the command `watch`. */
export interface WatchFlags extends ReaderFlags {
  readonly exec: string;
  /** After so many seconds without an event the command runs with an empty input, if set. */
  readonly idle?: string;
}

const MAX_DELAY_MS = 60_000;

/** Prints a line for a person. Standard output belongs to the command. */
export const sayTo = (name: string) => (line: string) => writeErrorLine(`${name}: ${line}`);

/** What a shell reports of a program that a signal ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs `work` until SIGINT or SIGTERM aborts its signal, which is no error. A second one ends the
 * process at once, whatever it does.
 */
export async function runUntilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const stop = (name: keyof typeof exitCodes) => {
    if (abort.signal.aborted) process.exit(exitCodes[name]);
    abort.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop);
  try {
    await work(abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
  }
}

/** Reads `--idle` as milliseconds. Errors: CommandError. */
function parseIdle(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new CommandError(`--idle must be a number of seconds, at least 1, not "${text}".`);
  return Number(text) * 1_000;
}

/** Runs a command until it ends with 0, with longer and longer waits in between. */
async function runUntilHandled(
  run: () => Promise<Ending>,
  eventId: number,
  { signal, say }: Tell,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    const ending = await run();
    if ('code' in ending && ending.code === 0) return;
    const delay = computeDelay(tries + 1, MAX_DELAY_MS);
    say(
      `the command ${describeEnding(ending)} at event ${eventId}, which it gets again in ` +
        `${Math.ceil(delay / 1_000)} s`,
    );
    await sleep(delay, undefined, { signal });
  }
}

/**
 * The command `watch`: runs a command for each event of the agent, one after the other, with the
 * event on its standard input. The cursor moves only after exit 0. A command that fails gets its
 * event again, with longer and longer waits. It runs until it is stopped, and then lets the command
 * end first. Errors: CommandError.
 */
export const runWatch = (
  { exec, idle, ...flags }: WatchFlags,
  environment: NodeJS.ProcessEnv,
): Promise<void> =>
  runUntilStopped(async (signal) => {
    const say = sayTo('stoa watch');
    const idleMs = parseIdle(idle);
    await using reader = await openReader(flags, environment, { signal, say, name: 'watch' });
    const { client, url, file } = reader;
    say(`waiting for events after ${file.cursor}`);
    const run = (input: string) =>
      runWithInput(exec, input, { STOA_URL: url, STOA_API_KEY: flags.key ?? '' });
    const events = followForEver(client, { cursor: file.cursor, signal, say });
    for await (const followed of withPauses(events, idleMs, signal)) {
      if (followed === null) {
        const ending = await run('');
        if (!('code' in ending) || ending.code !== 0)
          say(`the command ${describeEnding(ending)} without an event`);
        continue;
      }
      const { event, cursor } = followed;
      const input = `${JSON.stringify({ contentTrust: 'untrusted', ...event })}\n`;
      await runUntilHandled(() => run(input), event.id, { signal, say });
      await file.save(cursor);
    }
  });
