import type { ServiceSample } from '../measure/sample-service.ts';
import { toSpread } from '../measure/stats.ts';
import { renderMarkdownTable } from './document.ts';
import { type PlotPanel, renderPlot } from './line-plot.ts';

/** The part of a run that does not count, because caches and pools fill in it. */
const WARM_UP = 0.1;
/** The last quarter may have this much more than the first. */
const MARGIN = 1.1;
/** Measures that grow because data are added, or that only describe the run. */
const growing =
  /^(tables, MiB|hints so far|load of the machine|refused or failed, \/s|machine: .+)$/;

/** Lists the names of all measures, in the order of their first appearance. */
const listNames = (samples: readonly ServiceSample[]): string[] => [
  ...new Set(samples.flatMap((sample) => Object.keys(sample))),
];

const readMedian = (samples: readonly ServiceSample[], name: string): number =>
  toSpread(samples.map((sample) => sample[name] ?? Number.NaN).filter(Number.isFinite)).median;

const formatValue = (value: number): string =>
  Number.isFinite(value) ? value.toFixed(value < 100 ? 1 : 0) : '–';

function formatSteadiness(name: string, first: number, last: number): string {
  if (growing.test(name)) return 'not judged';
  return last <= first * MARGIN ? 'flat' : 'GREW';
}

/** Renders the medians of the first and the last quarter of a run, and whether they are equal. */
export function renderSoakTable(samples: readonly ServiceSample[]): string {
  const counted = samples.slice(Math.ceil(samples.length * WARM_UP));
  const quarter = Math.max(1, Math.floor(counted.length / 4));
  const rows = listNames(samples).map((name) => {
    const first = readMedian(counted.slice(0, quarter), name);
    const last = readMedian(counted.slice(-quarter), name);
    const change = first > 0 ? `${((last / first - 1) * 100).toFixed(0)} %` : '–';
    const steadiness = formatSteadiness(name, first, last);
    return [name, formatValue(first), formatValue(last), change, steadiness];
  });
  const head = ['median of', 'first quarter', 'last quarter', 'change', 'within 10 %'];
  return renderMarkdownTable(head, rows);
}

/** Renders all measures of a run over its time. */
export function renderSoakPlot(samples: readonly ServiceSample[], minutes: number): string {
  const names = listNames(samples);
  const buildPanel = (title: string, pattern: RegExp): PlotPanel => ({
    title,
    lines: Object.fromEntries(
      names
        .filter((name) => pattern.test(name))
        .map((name) => [name, samples.map((sample) => sample[name] ?? Number.NaN)]),
    ),
  });
  const panels = [
    buildPanel('Memory of the service', /^(resident memory|heap used|buffers)/),
    buildPanel('What it has open', /^(handles|timers|database connections|file descriptors)/),
    buildPanel('Dead rows of the database', /^dead rows/),
    buildPanel('Size of the tables', /^tables/),
    buildPanel('Median latencies', / p50, ms$/),
    buildPanel('99th percentiles of latencies', / p99, ms$/),
    buildPanel('Load of the machine', /^load of the machine/),
  ];
  return renderPlot(panels, minutes);
}
