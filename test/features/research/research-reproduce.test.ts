import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { definitions } from '../../../src/features/research/experiments.ts';
import { type ExperimentId, experimentIds } from '../../../src/features/research/rules.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import { createNewcomers, DAY, researchSettings, toDay } from './setup.ts';

const app = await startApp(researchSettings);
const f = factories(app);
const researcher = await f.createAgent();
const key = await f.getKeyWithScope(researcher, 'research');
const getDay = (back = 0) => toDay(app.clock() - back * DAY);
const { firstDay } = await createNewcomers(app, f);
app.clock.advance(20 * DAY);

const readChunks = async (stream: AsyncIterable<Buffer>): Promise<Buffer[]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
};

describe('reproduce.py metric', async () => {
  const program = fileURLToPath(new URL('../../../examples/reproduce.py', import.meta.url));
  const run = (args: readonly string[]) =>
    promisify(execFile)('python3', [program, 'metric', ...args]).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      (error: Json) => ({ code: error.code as number, said: `${error.stdout}${error.stderr}` }),
    );
  const reproduce = (experiment: ExperimentId, more: readonly string[] = []) =>
    run([
      '--url',
      app.url,
      '--key',
      key,
      '--experiment',
      experiment,
      '--from',
      firstDay,
      '--to',
      getDay(),
      ...more,
    ]);
  const hasPython = (await run(['--help'])).code === 0;

  it.runIf(hasPython)(
    '[research.reproduce] recomputes every metric, and rejects bad input in a sentence',
    async () => {
      for (const experiment of experimentIds)
        expect(await reproduce(experiment), experiment).toMatchObject({
          code: 0,
          said: expect.stringContaining('All of it agrees'),
        });
      expect((await reproduce('activation')).said).toContain('5 / 7 = 0.7143');
      expect(await reproduce('activation', ['--key', researcher.key])).toMatchObject({
        code: 1,
        said: expect.stringContaining('scope'),
      });
      expect(await reproduce('activation', ['--to', getDay(-3)])).toMatchObject({ code: 0 });
      expect(await reproduce('activation', ['--to', getDay(-400)])).toMatchObject({
        code: 1,
        said: expect.stringContaining('ahead'),
      });
      expect(await reproduce('activation', ['--from', '2026-02-31'])).toMatchObject({
        code: 2,
        said: expect.stringContaining('not a day'),
      });
      expect(await reproduce('activation', ['--url', 'http://127.0.0.1:1'])).toMatchObject({
        code: 1,
        said: expect.stringContaining('cannot be read'),
      });
    },
  );

  it.runIf(hasPython)(
    '[research.reproduce] detects wrong figures, rows, ends and small groups',
    async () => {
      /** Starts a proxy between program and service that changes one thing. */
      let change = (text: string, _path: string): string => text;
      const between = createServer(async (request, response) => {
        const body =
          request.method === 'POST' ? Buffer.concat(await readChunks(request)) : undefined;
        const headers = Object.fromEntries(
          ['x-api-key', 'content-type', 'idempotency-key'].flatMap((name) =>
            request.headers[name] ? [[name, String(request.headers[name])]] : [],
          ),
        );
        const answer = await fetch(app.url + request.url, {
          method: request.method ?? 'GET',
          headers,
          ...(body && { body }),
        });
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(change(await answer.text(), request.url ?? ''));
      }).listen(0, '127.0.0.1');
      await once(between, 'listening');
      const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
      const changeData = (made: (text: string) => string) => (text: string, path: string) =>
        path.endsWith('/data') ? made(text) : text;
      const keepText = (text: string) => text;
      const sealDataset = (text: string): string => {
        const lines = text.trimEnd().split('\n').slice(0, -1);
        const head = `${lines.join('\n')}\n`;
        const end = {
          type: 'end',
          rows: lines.length - 1,
          bytes: Buffer.byteLength(head),
          sha256: createHash('sha256').update(head).digest('hex'),
        };
        return `${head}${JSON.stringify(end)}\n`;
      };
      const removeRow = (text: string) =>
        text
          .split('\n')
          .filter((_, index) => index !== 1)
          .join('\n');
      const cases: [string, (text: string, path: string) => string][] = [
        ['All of it agrees', keepText],
        [
          'metric_differs',
          (text, path) =>
            path.includes('/metrics') ? text.replace('"numerator":5', '"numerator":6') : text,
        ],
        ['dataset_broken', changeData(removeRow)],
        ['metric_differs', changeData((text) => sealDataset(removeRow(text)))],
        [
          'small_group',
          changeData((text) =>
            sealDataset(text.replace(/("context":")[^"]*/, '$1AAAAAAAAAAAAAAAAAAAAAA')),
          ),
        ],
        ['dataset_broken', changeData((text) => text.slice(0, text.lastIndexOf('{')))],
        [
          'dataset_broken',
          changeData((text) => sealDataset(text.replace('"value":1', '"value":true'))),
        ],
        [
          'maturity_differs',
          changeData((text) => sealDataset(text.replace(/"matureTo":"\d{4}/, '"matureTo":"2031'))),
        ],
      ];
      for (const [said, made] of cases) {
        change = made;
        expect(await reproduce('activation', ['--url', url]), said).toMatchObject({
          code: made === keepText ? 0 : 1,
          said: expect.stringContaining(said),
        });
      }
      between.close();
    },
  );
});

describe('showResearch', async () => {
  const off = await app.startNode({ RESEARCH_ENABLED: 'off' });

  it('[research.page] shows an experiment with plot, table and definition', async () => {
    const query = `experiment=activation&from=${firstDay}&to=${firstDay}`;
    const { status, text, headers } = await f.send('GET', `/research?${query}`);
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
    });
    for (const part of [
      '<svg',
      '<title id="plot-title">',
      '<desc id="plot-text">',
      '71.4 %',
      definitions.activation.question,
      definitions.activation.formula,
      query.replaceAll('&', '&amp;'),
    ])
      expect(text).toContain(part);
    expect(text.match(/<tr>/g)).toHaveLength(2);
    expect(text).not.toMatch(/<script|style="/);
    for (const id of experimentIds) expect(text).toContain(`>${id}</a>`);
    expect((await f.send('GET', '/research')).status).toBe(200);
    expect((await f.send('GET', `/research?from=${getDay(-1)}`)).status).toBe(400);
  });

  it('[research.page-off] says so where research is off, and operations are refused', async () => {
    const { status, text } = await factories(off).send('GET', '/research');
    expect({ status, tellsHow: text.includes('RESEARCH_ENABLED=on') }).toEqual({
      status: 200,
      tellsHow: true,
    });
    expect(
      await factories(off).send('GET', '/api/v1/research/metrics?experiment=activation'),
    ).toMatchObject(buildProblem(403, 'capability_disabled', { capability: 'research' }));
  });
});
