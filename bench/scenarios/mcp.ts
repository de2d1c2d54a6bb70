import { type Service, startService } from '../load/service.ts';
import { roundOf } from '../measure/stats.ts';

/** How a call is sent: an address, and a request to it. */
interface Way {
  readonly name: string;
  readonly path: string;
  readonly init: RequestInit;
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const newest = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

const message = (method: string, params: object): RequestInit['body'] =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** The same read over REST and as a tool, of both revisions; and the list of all tools. */
function waysOf(tool: string, given: object, path: string): Way[] {
  const call = { name: tool, arguments: given };
  return [
    { name: 'REST', path, init: {} },
    {
      name: 'tool, 2026-07-28',
      path: '/mcp',
      init: {
        method: 'POST',
        headers: { ...HEADERS, ...newest('tools/call', tool) },
        body: message('tools/call', { ...call, _meta: ENVELOPE }),
      },
    },
    {
      name: 'tool, 2025-11-25',
      path: '/mcp',
      init: {
        method: 'POST',
        headers: { ...HEADERS, 'mcp-protocol-version': '2025-11-25' },
        body: message('tools/call', call),
      },
    },
    {
      name: 'tools/list, 2026-07-28',
      path: '/mcp',
      init: {
        method: 'POST',
        headers: { ...HEADERS, ...newest('tools/list') },
        body: message('tools/list', { _meta: ENVELOPE }),
      },
    },
  ] as Way[];
}

/** Median milliseconds of one request after the other. */
async function medianOf(
  { url, adminKey }: Service,
  { path, init }: Way,
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
  return roundOf(latencies, seconds).p50;
}

/** The command `bench mcp`: what a call costs as a tool beyond what it costs over REST. Rounds alternate, so that the machine's moods meet all. */
export async function benchTools({
  seconds,
  rounds,
}: {
  readonly seconds: string;
  readonly rounds: string;
}): Promise<void> {
  await using service = await startService();
  const ways = [
    ...waysOf('get_stats', {}, '/api/v1/stats'),
    ...waysOf('list_rooms', { limit: 50 }, '/api/v1/rooms?limit=50').slice(0, 3),
  ];
  const found = ways.map(() => [] as number[]);
  // The first round only warms up.
  for (let round = 0; round <= Number(rounds); round++) {
    for (const [index, way] of ways.entries()) {
      const median = await medianOf(service, way, Number(seconds));
      if (round > 0) found[index]?.push(median);
    }
  }
  for (const [index, { name, path }] of ways.entries()) {
    const median =
      found[index]?.sort((a, b) => a - b)[Math.floor(Number(rounds) / 2)] ?? Number.NaN;
    process.stdout.write(
      `${(name === 'REST' ? `${name} ${path}` : name).padEnd(40)} ${median.toFixed(2)} ms\n`,
    );
  }
}
