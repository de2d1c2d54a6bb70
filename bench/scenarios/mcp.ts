import { type BenchService, startService } from '../load/service.ts';
import { toRound } from '../measure/stats.ts';

/** One way to send a call: an address, and a request to it. */
interface CallVariant {
  readonly name: string;
  readonly path: string;
  readonly init: RequestInit;
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const baseHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const buildHeaders = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

const buildMessage = (method: string, params: object): RequestInit['body'] =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Builds the same read over REST and as a tool of both revisions, and a list of all tools. */
function buildVariants(tool: string, toolArguments: object, path: string): CallVariant[] {
  const call = { name: tool, arguments: toolArguments };
  return [
    { name: 'REST', path, init: {} },
    {
      name: 'tool, 2026-07-28',
      path: '/mcp',
      init: {
        method: 'POST',
        headers: { ...baseHeaders, ...buildHeaders('tools/call', tool) },
        body: buildMessage('tools/call', { ...call, _meta: envelope }),
      },
    },
    {
      name: 'tool, 2025-11-25',
      path: '/mcp',
      init: {
        method: 'POST',
        headers: { ...baseHeaders, 'mcp-protocol-version': '2025-11-25' },
        body: buildMessage('tools/call', call),
      },
    },
    {
      name: 'tools/list, 2026-07-28',
      path: '/mcp',
      init: {
        method: 'POST',
        headers: { ...baseHeaders, ...buildHeaders('tools/list') },
        body: buildMessage('tools/list', { _meta: envelope }),
      },
    },
  ] as CallVariant[];
}

/** Measures the median milliseconds of requests that are sent one after the other. */
async function measureMedian(
  { url, adminKey }: BenchService,
  { path, init }: CallVariant,
  seconds: number,
): Promise<number> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let now = performance.now(); now < end; ) {
    const response = await fetch(url + path, {
      ...init,
      headers: { ...init.headers, 'x-admin-key': adminKey },
    });
    const text = await response.text();
    if (!response.ok || text.includes('"isError":true')) throw new Error(text);
    const after = performance.now();
    latencies.push(after - now);
    now = after;
  }
  return toRound(latencies, seconds).p50;
}

/**
 * Runs the command `bench mcp`, which measures the cost of a tool call compared with REST. The
 * rounds alternate, so that the state of the machine affects all variants.
 */
export async function benchTools({
  seconds,
  rounds,
}: {
  readonly seconds: string;
  readonly rounds: string;
}): Promise<void> {
  await using service = await startService();
  const variants = [
    ...buildVariants('get_stats', {}, '/api/v1/stats'),
    ...buildVariants('list_rooms', { limit: 50 }, '/api/v1/rooms?limit=50').slice(0, 3),
  ];
  const medians = variants.map(() => [] as number[]);
  // The first round only warms up.
  for (let round = 0; round <= Number(rounds); round++) {
    for (const [index, variant] of variants.entries()) {
      const median = await measureMedian(service, variant, Number(seconds));
      if (round > 0) medians[index]?.push(median);
    }
  }
  for (const [index, { name, path }] of variants.entries()) {
    const median =
      medians[index]?.sort((a, b) => a - b)[Math.floor(Number(rounds) / 2)] ?? Number.NaN;
    process.stdout.write(
      `${(name === 'REST' ? `${name} ${path}` : name).padEnd(40)} ${median.toFixed(2)} ms\n`,
    );
  }
}
