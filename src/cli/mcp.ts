import { createInterface } from 'node:readline';
import { createBridge, type Introduction } from './bridge.ts';
import { describeError } from './describe-error.ts';
import { CHANNEL_CAPABILITY, CHANNEL_INSTRUCTIONS, pushEvents } from './watch/channel.ts';
import { openReader, parseAddress, type ReaderFlags } from './watch/open-reader.ts';
import { sayTo } from './watch/watch.ts';

/** The flags of the command `mcp`. */
export interface BridgeFlags extends ReaderFlags {
  readonly channel?: true;
}

/** What a client sends once it has read the answer to its handshake. */
const READY = /"method"\s*:\s*"notifications\/initialized"/;

/** Says in the handshake that events are pushed. */
const introduceChannel = (result: Introduction): Introduction => ({
  ...result,
  instructions: [result.instructions, CHANNEL_INSTRUCTIONS].filter(Boolean).join('\n\n'),
  capabilities: {
    ...result.capabilities,
    experimental: { ...result.capabilities?.experimental, [CHANNEL_CAPABILITY]: {} },
  },
});

/** Writes a line, and returns once the reader's pipe has taken it. */
const writeLine = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });

/**
 * The command `mcp`: runs until its input ends and all requests except subscriptions are answered.
 * With `--channel` it also pushes events, from when the client is ready.
 * Errors: CommandError for an invalid address, one that the key is not for, or a refused reader.
 */
export async function runBridge(
  { channel, ...flags }: BridgeFlags,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { key } = flags;
  const url = parseAddress(flags.url, environment.STOA_URL);
  const stop = new AbortController();
  const tell = { signal: stop.signal, say: sayTo('stoa mcp'), name: 'channel' };
  const bridge = createBridge({
    address: `${url}/mcp`,
    key: key || undefined,
    write: writeLine,
    ...(channel && { introduce: introduceChannel }),
  });
  // The tools work without the channel, so its end is only told.
  const push = async () => {
    try {
      await using reader = await openReader(flags, environment, tell);
      await pushEvents(reader, writeLine, tell);
    } catch (error) {
      if (stop.signal.aborted) return;
      tell.say(`No more events are pushed. ${describeError(error) ?? String(error)}`);
    }
  };
  let pushing: Promise<void> | undefined;
  const under = new Set<Promise<void>>();
  for await (const line of createInterface({
    input: process.stdin,
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (channel && READY.test(line)) pushing ??= push();
    const taken = bridge.take(line).finally(() => under.delete(taken));
    under.add(taken);
  }
  bridge.end();
  stop.abort();
  await Promise.all([...under, pushing]);
}
