/**
 * Serves the tools, resources and prompts of fixed names that the conformance suite expects of any
 * server. They are ordinary operations that store nothing, served by our own protocol and pipeline.
 * The program prints its address. Usage: node scripts/mcp-fixture.ts
 */
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createHttp } from '../src/http/http-server.ts';
import { createMetrics } from '../src/http/metrics/prometheus-metrics.ts';
import { fail } from '../src/kernel/errors.ts';
import { unlimitedLoad } from '../src/kernel/limits/load-limits.ts';
import { createLongReads } from '../src/kernel/limits/long-reads.ts';
import { unlimitedRateLimiter } from '../src/kernel/limits/rate-limits.ts';
import { createRefusedAnswers } from '../src/kernel/limits/refused-answers.ts';
import { createUnlimitedWork } from '../src/kernel/limits/work-meter.ts';
import type { AnyOperation } from '../src/kernel/operation/any-operation.ts';
import { content } from '../src/kernel/operation/content-operation.ts';
import { operation } from '../src/kernel/operation/operation.ts';
import type { Environment } from '../src/kernel/pipeline/environment.ts';
import { createExecutor } from '../src/kernel/pipeline/execute.ts';
import { Closed, Type } from '../src/kernel/schema/schema.ts';
import { createToolProtocol } from '../src/mcp/mcp-protocol.ts';

const idParams = Closed({ id: Type.String({ description: 'Any text.' }) });
const common = { method: 'GET', tag: 'discovery', auth: 'public' } as const;

const buildBytes = (mediaType: string, bytes: Buffer | string) => async () => ({
  mediaType,
  private: false,
  open: async function* () {
    yield bytes;
  },
});
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const operations = [
  operation(
    'simpleText',
    {
      ...common,
      path: '/simple',
      tool: 'test_simple_text',
      summary: 'Returns a text.',
      output: Closed({ text: Type.String() }),
    },
    async () => ({
      text: 'This is a simple text response for testing.',
    }),
  ),
  operation(
    'errorHandling',
    {
      ...common,
      path: '/error',
      tool: 'test_error_handling',
      summary: 'Returns an error.',
      output: Closed({}),
      errors: ['gone'],
    },
    async () => {
      throw fail('gone', 'This tool intentionally returns an error for testing.');
    },
  ),
  content(
    'staticText',
    { ...common, path: '/text', summary: 'Text.', media: 'text/plain' },
    buildBytes('text/plain', 'This is the content of the static text resource.'),
  ),
  content(
    'staticBinary',
    { ...common, path: '/binary', summary: 'An image.', media: 'image/png' },
    buildBytes('image/png', pixel),
  ),
  operation(
    'template',
    {
      ...common,
      path: '/template/{id}',
      summary: 'Returns its id.',
      params: idParams,
      output: Closed({ id: Type.String(), templateTest: Type.Boolean() }),
    },
    async (_, { params }) => ({ id: params.id, templateTest: true }),
  ),
] as unknown as readonly AnyOperation[];

const buildSource = (template: string, name: string, mimeType: string) => ({
  template,
  name,
  title: name,
  description: name,
  mimeType,
  operation: name,
});
const buildArgument = (name: string) => ({
  name,
  description: `${name} of the test.`,
  required: true,
});

const protocolContent = {
  sources: [
    buildSource('test://static-text', 'staticText', 'text/plain'),
    buildSource('test://static-binary', 'staticBinary', 'image/png'),
    buildSource('test://template/{id}/data', 'template', 'application/json'),
  ],
  prompts: [
    {
      listing: { name: 'test_simple_prompt', description: 'Without arguments.' },
      text: () => 'This is a simple prompt for testing.',
    },
    {
      listing: {
        name: 'test_prompt_with_arguments',
        description: 'With two arguments.',
        arguments: [buildArgument('arg1'), buildArgument('arg2')],
      },
      text: ({ arg1, arg2 }: Readonly<Record<string, string>>) =>
        `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
  ],
};

let address = '';
let count = 0;
/** These operations use no database. Anything that needs one fails. */
const env = {
  db: { pool: {} },
  groupCommit: { waiting: 0 },
  signer: {},
  hub: { waiting: () => [], deliveries: 0 },
  clock: Date.now,
  newId: () => `fixture-${++count}`,
  random: (bytes: number) => Buffer.alloc(bytes),
  administrators: [],
  rateLimiter: unlimitedRateLimiter,
  load: unlimitedLoad,
  work: createUnlimitedWork(() => 0),
  longReads: createLongReads({ lastBegunAt: 0 }, { deliveries: 0 }),
  searches: createUnlimitedWork(() => 0),
  refusedAnswers: createRefusedAnswers(),
  disk: { floorBytes: 0, readFreeBytes: async () => null },
  storageQuotas: { refused: {}, take: async () => () => {}, charge: () => {} },
  checkOutputs: true,
  installation: {
    service: 'fixture',
    version: '1.0.0',
    get baseUrl() {
      return address;
    },
    features: { mcp: true },
    limits: { jsonBodyBytes: 524_288, fileBytes: 10_485_760 },
  },
} as unknown as Environment;

const execute = createExecutor(env);
const http = createHttp({
  env,
  execute,
  operations,
  tools: createToolProtocol(env, execute, operations, protocolContent),
  log: pino({ level: 'silent' }),
  metrics: createMetrics(env),
  probes: { ready: async () => ({ ready: true }) },
  checkHost: false,
  trustProxy: 0,
  maxUnanswered: 16,
  isStopping: () => false,
});
await http.listen({ host: '127.0.0.1', port: 0 });
address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
process.stdout.write(`${address}\n`);
