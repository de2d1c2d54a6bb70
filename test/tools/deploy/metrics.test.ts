import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { findFreePort } from '../../support/service.ts';
import { findProgram, readExample } from './read-example.ts';

interface Query {
  /** The alert or panel that asks. */
  readonly of: string;
  readonly text: string;
}

/** Labels that Prometheus adds to what it scrapes. */
const ADDED_LABELS = ['job', 'instance'];
const [{ rules }] = parse(readExample('alerts.yaml')).groups;
const { panels } = JSON.parse(readExample('dashboard.json'));

const queries: readonly Query[] = [
  ...rules.map(({ alert, expr }: { alert: string; expr: string }) => ({ of: alert, text: expr })),
  ...panels.flatMap(({ title, targets }: { title: string; targets: { expr: string }[] }) =>
    // Grafana fills in the range.
    targets.map(({ expr }) => ({ of: title, text: expr.replace('$__rate_interval', '5m') })),
  ),
];

interface Selector {
  readonly metric: string;
  /** Label, operator and value of each condition. */
  readonly matchers: readonly (readonly [label: string, operator: string, value: string])[];
}

/** Parses a query. Errors: throws when it is none that Prometheus understands. */
function parseQuery(text: string): { selectors: Selector[]; grouping: string[] } {
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`"${text}" is wrong at character ${node.from}.`);
      const source = text.slice(node.from, node.to);
      if (node.name === 'VectorSelector') {
        const [metric = '', conditions = ''] = source.split('{');
        const found = conditions.matchAll(/(\w+)(=~|!=|!~|=)"([^"]*)"/g);
        selectors.push({
          metric: metric.trim(),
          matchers: [...found].map(([, label = '', sign = '', value = '']) => [label, sign, value]),
        });
      }
      if (node.name === 'GroupingLabels') grouping.push(...(source.match(/\w+/g) ?? []));
    },
  });
  return { selectors, grouping };
}

/** Each sample that the service exports: its metric and its labels. */
async function scrape(): Promise<{ metric: string; labels: Record<string, string> }[]> {
  const app = await startApp(await allFeaturesOn());
  const port = await findFreePort();
  const f = factories(await app.startNode({ METRICS_PORT: String(port) }));
  const author = await f.createAgent();
  await f.postMessage(author, await f.createThread(author, await f.createRoom(author)), 'Hello.');
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, metric = '', pairs = '']) => ({
    metric,
    labels: Object.fromEntries(
      [...pairs.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  }));
}

const samples = await scrape();

describe('deploy/alerts.yaml and deploy/dashboard.json', () => {
  it('[deploy.metrics] ask for something', () => {
    expect(rules.length).toBeGreaterThan(5);
    expect(queries.length).toBeGreaterThan(rules.length + 10);
    expect(() => parseQuery('sum(rate(stoa_event_waiters[5m])')).toThrow();
  });

  it.each(queries)('[deploy.metrics] $of: $text', ({ text }) => {
    const { selectors, grouping } = parseQuery(text);
    expect(selectors.length).toBeGreaterThan(0);
    const labels = new Set(ADDED_LABELS);
    for (const { metric, matchers } of selectors) {
      // Prometheus itself says whether it could scrape.
      const exported = samples.filter((sample) => sample.metric === metric);
      if (metric !== 'up') expect(exported, metric).not.toEqual([]);
      for (const sample of exported) for (const name in sample.labels) labels.add(name);
      for (const [label, sign, value] of matchers) {
        expect([...labels]).toContain(label);
        // A pattern of words names values; another one, such as 5.., may match none today.
        if (ADDED_LABELS.includes(label) || !/^[\w|]+$/.test(value)) continue;
        const known = exported.map((sample) => sample.labels[label]);
        expect(known).toEqual(expect.arrayContaining(sign === '=~' ? value.split('|') : [value]));
      }
    }
    expect(grouping.filter((label) => !labels.has(label))).toEqual([]);
  });

  it('[deploy.metrics] place each panel once, and each query in a panel once', () => {
    const places = panels.map(({ gridPos }: { gridPos: object }) => JSON.stringify(gridPos));
    expect(new Set(places).size).toBe(panels.length);
    const ids = panels.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(panels.length);
  });

  const promtool = findProgram('promtool', 'prometheus');
  it.skipIf(!promtool)('[deploy.metrics] are rules that Prometheus loads', () => {
    const path = fileURLToPath(new URL('../../../deploy/alerts.yaml', import.meta.url));
    const said = execFileSync(promtool ?? '', ['check', 'rules', path]).toString();
    expect(said).toContain(`${rules.length} rules found`);
  });
});
