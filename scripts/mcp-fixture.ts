/**
 * What the conformance suite asks of any server: tools, resources and prompts of fixed names. They are served by our own protocol and
 * pipeline, from operations like any other, which have nothing to store. Prints its address. Usage: node scripts/mcp-fixture.ts
 */
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createMetrics } from '../src/http/prometheus-metrics.ts';
import { createHttp } from '../src/http/http-server.ts';
import type { AnyOperation } from '../src/kernel/operation/any-operation.ts';
import { content } from '../src/kernel/operation/content-operation.ts';
import type { Environment } from '../src/kernel/pipeline/environment.ts';
import { fail } from '../src/kernel/errors.ts';
import { createExecutor } from '../src/kernel/pipeline/execute.ts';
import { operation } from '../src/kernel/operation/operation.ts';
import { unlimited } from '../src/kernel/callers/rate-limits.ts';
import { Closed, Type } from '../src/kernel/schema/schema.ts';
import { createToolProtocol } from '../src/mcp/mcp-protocol.ts';

const id = Closed({ id: Type.String({ description: 'Any.' }) });
const common = { method: 'GET', tag: 'discovery', auth: 'public' } as const;

const bytesOf = (mediaType: string, bytes: Buffer | string) => async () => ({
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
      summary: 'Answers.',
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
      summary: 'Refuses.',
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
    bytesOf('text/plain', 'This is the content of the static text resource.'),
  ),
  content(
    'staticBinary',
    { ...common, path: '/binary', summary: 'An image.', media: 'image/png' },
    bytesOf('image/png', pixel),
  ),
  operation(
    'template',
    {
      ...common,
      path: '/template/{id}',
      summary: 'Its id.',
      params: id,
      output: Closed({ id: Type.String(), templateTest: Type.Boolean() }),
    },
    async (_, { params }) => ({ id: params.id, templateTest: true }),
  ),
] as unknown as readonly AnyOperation[];

const source = (template: string, of: string, mimeType: string) => ({
  template,
  name: of,
  title: of,
  description: of,
  mimeType,
  operation: of,
});
const given = (name: string) => ({ name, description: `${name} of the test.`, required: true });

const offer = {
  sources: [
    source('test://static-text', 'staticText', 'text/plain'),
    source('test://static-binary', 'staticBinary', 'image/png'),
    source('test://template/{id}/data', 'template', 'application/json'),
  ],
  prompts: [
    {
      listing: { name: 'test_simple_prompt', description: 'Without arguments.' },
      text: () => 'This is a simple prompt for testing.',
    },
    {
      listing: {
        name: 'test_prompt_with_arguments',
        description: 'With two.',
        arguments: [given('arg1'), given('arg2')],
      },
      text: ({ arg1, arg2 }: Readonly<Record<string, string>>) =>
        `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
  ],
};

let address = '';
let count = 0;
/** Nothing in here reads or writes a database: whatever would, fails. */
const env = {
  db: { pool: {} },
  share: { waiting: 0 },
  signer: {},
  hub: { waiting: () => [] },
  clock: Date.now,
  newId: () => `fixture-${++count}`,
  random: (bytes: number) => Buffer.alloc(bytes),
  administrators: [],
  rateLimiter: unlimited,
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
  tools: createToolProtocol(env, execute, operations, offer),
  log: pino({ level: 'silent' }),
  metrics: createMetrics(env),
  probes: { ready: async () => ({ ready: true }) },
  trustProxy: 0,
  isStopping: () => false,
});
await http.listen({ host: '127.0.0.1', port: 0 });
address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
process.stdout.write(`${address}\n`);
