import { describe, expect, it } from 'vitest';
import { estimateQuantile, parseMetrics } from './metrics-text.ts';
import { type Scrape, summarizeNode } from './summarize.ts';

const TEXT = `# HELP stoa_http_request_seconds Time
# TYPE stoa_http_request_seconds histogram
stoa_http_request_seconds_bucket{le="0.01",operation="postMessage",status="200"} 50
stoa_http_request_seconds_bucket{le="0.1",operation="postMessage",status="200"} 100
stoa_http_request_seconds_bucket{le="+Inf",operation="postMessage",status="200"} 100
stoa_http_request_seconds_count{operation="postMessage",status="200"} 100
stoa_http_request_seconds_count{operation="overload",status="503"} 20
stoa_http_request_seconds_count{operation="getRoom",status="500"} 10
stoa_process_cpu_seconds_total 5
stoa_process_start_time_seconds 1000
stoa_under_way{kind="waits"} 3
`;

const NONE: Scrape = { at: 0, now: 1_090, samples: [] };

describe('parseMetrics', () => {
  it('[cli.status] reads names, labels and values', () => {
    expect(parseMetrics('a_total{x="1",y="b\\"c"} 2.5e3\nb NaN\n# c 1\n\n!')).toEqual([
      { name: 'a_total', labels: { x: '1', y: 'b\\"c' }, value: 2_500 },
      { name: 'b', labels: {}, value: Number.NaN },
    ]);
  });
});

describe('estimateQuantile', () => {
  it.for([
    [0.5, 0.01],
    [0.75, 0.055],
    [0.25, 0.005],
  ] as const)('[cli.status] %f of the observations', ([quantile, expected]) => {
    const buckets = new Map([
      [0.01, 50],
      [0.1, 100],
      [Infinity, 100],
    ]);
    expect(estimateQuantile(buckets, quantile)).toBeCloseTo(expected);
  });

  it('[cli.status] counts what is beyond the last bound as that, and nothing as nothing', () => {
    const buckets = new Map([
      [1, 0],
      [Infinity, 10],
    ]);
    expect(estimateQuantile(buckets, 0.5)).toBe(1);
    expect(estimateQuantile(new Map(), 0.5)).toBeNull();
    expect(estimateQuantile(new Map([[Infinity, 0]]), 0.5)).toBeNull();
  });
});

describe('summarizeNode', () => {
  const after = { at: 10_000, now: 1_100, samples: parseMetrics(TEXT) };

  it('[cli.status] gives rates, quantiles, refusals and failures of the interval', () => {
    const { all, operations, processorShare, uptimeSeconds, underWay } = summarizeNode(
      NONE,
      after,
      2,
    );
    expect(all).toMatchObject({ rate: 13, refused: 2, failed: 1 });
    expect(operations.map(({ operation }) => operation)).toEqual(['postMessage', 'overload']);
    expect(operations[0]).toMatchObject({ rate: 10, refused: 0, failed: 0 });
    expect(operations[0]?.p50).toBeCloseTo(0.01);
    expect({ processorShare, uptimeSeconds, underWay }).toEqual({
      processorShare: 0.5,
      uptimeSeconds: 100,
      underWay: { waits: 3 },
    });
  });

  it('[cli.status] counts only what is new, and all of a process that began again', () => {
    const idle = summarizeNode(after, { ...after, at: 20_000 }, 2);
    expect(idle.all).toMatchObject({ rate: 0, p99: null });
    expect(idle.operations).toEqual([]);
    expect(summarizeNode(NONE, NONE, 2).uptimeSeconds).toBeNull();
    const more = TEXT.replaceAll(' 100\n', ' 900\n').replaceAll(' 50\n', ' 450\n');
    const before = { ...after, samples: parseMetrics(more) };
    expect(summarizeNode(before, { ...after, at: 20_000 }, 2).operations[0]?.rate).toBe(10);
  });
});
