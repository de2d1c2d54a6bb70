import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { environment, programPath } from './service.ts';

/** An event that a woken program was told of, and when, by `performance.now()`. */
export interface Told {
  readonly messageId: string;
  readonly at: number;
}

/** A running program that wakes an agent: the bridge or `stoa watch`. */
export interface Woken {
  /** The events so far, in order. */
  readonly told: readonly Told[];
  readErrors(): string;
  /** Kills it at once, or asks it to stop, and returns when all that it wrote was read. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** What a program that wakes an agent starts with. */
export interface WokenOptions {
  readonly url: string;
  readonly key: string;
  /** The file of its cursor. */
  readonly state: string;
  /** While this file exists, the command of `stoa watch` fails. */
  readonly failing: string;
}

const handshake = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** Starts a program and reads from each line of its output which message it is about. */
function startWoken(
  words: readonly string[],
  { key }: WokenOptions,
  findMessageId: (line: Record<string, never>) => string | undefined,
): Woken & { send(message: object): void } {
  const child = spawn(process.execPath, [programPath, ...words], {
    env: { ...environment, STOA_API_KEY: key },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // What is sent to a killed program is lost, which is what is measured.
  child.stdin.on('error', () => {});
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const told: Told[] = [];
  let errors = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    const messageId = findMessageId(JSON.parse(line) as Record<string, never>);
    if (messageId !== undefined) told.push({ messageId, at: performance.now() });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return {
    told,
    readErrors: () => errors,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    async end(signal) {
      if (child.exitCode !== null)
        throw new Error(`${words[0]} ended with ${child.exitCode}: ${errors}`);
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
      process.off('exit', killAtExit);
    },
  };
}

/** Starts `stoa mcp --channel` and shakes hands with it, as a client does. */
export function startBridge(options: WokenOptions): Woken {
  const bridge = startWoken(
    ['mcp', '--url', options.url, '--channel', '--state', options.state],
    options,
    ({ params }) => (params as { meta?: { message_id: string } } | undefined)?.meta?.message_id,
  );
  for (const message of handshake) bridge.send(message);
  return bridge;
}

/** Starts `stoa watch` with a command that prints its event, unless it is to fail. */
export const startWatch = (options: WokenOptions): Woken =>
  startWoken(
    [
      'watch',
      '--url',
      options.url,
      '--exec',
      `[ ! -e '${options.failing}' ] && cat`,
      '--state',
      options.state,
    ],
    options,
    ({ messageId }) => messageId,
  );
