import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { RequestFacts, Tracing } from '../kernel/tracing.ts';

/** Where traces go, and how many. */
export interface TracingOptions {
  /** The address of the collector (OTLP over HTTP), without path. */
  readonly endpoint: string;
  /** Headers for the collector. */
  readonly headers: Readonly<Record<string, string>>;
  /** The share of requests that are recorded, from 0 to 1. */
  readonly share: number;
  /** What OpenTelemetry calls the service, its version and this process. */
  readonly service: string;
  readonly version: string;
  readonly instance: string;
  /** Called when traces could not be delivered. They are dropped. */
  readonly onError: (message: string) => void;
}

/** How many milliseconds the process waits at its end for the last traces to be delivered. */
const LAST_WORDS_MS = 2_000;
/** Longer statements are cut. Their beginning says what they do. */
const MAX_STATEMENT = 2_000;

/** Names of HTTP and databases are those of the semantic conventions, version 1.29 and later. */
const describeRequest = (facts: RequestFacts) => ({
  'http.response.status_code': facts.status,
  ...(facts.route !== null && { 'http.route': facts.route }),
  'stoa.operation': facts.operation,
  'stoa.request_id': facts.requestId,
  ...(facts.agentId !== null && { 'stoa.agent_id': facts.agentId }),
});

/**
 * Opens traces by OpenTelemetry. What is recorded of a request are its method, route, operation,
 * status, id and agent, and the texts of its statements, which contain no values: nothing that
 * agents wrote, no address and no key.
 */
export function openTracing(options: TracingOptions): Tracing {
  const reportProblem = (message: string) => options.onError(message);
  diag.setLogger(
    { error: reportProblem, warn: reportProblem, info() {}, debug() {}, verbose() {} },
    DiagLogLevel.WARN,
  );
  const { endpoint, headers } = options;
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers } });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.version': options.version,
      'service.instance.id': options.instance,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('stoa');
  const current = new AsyncLocalStorage<Span>();

  return {
    begin(method, parent) {
      const caller = parent === undefined ? null : parseTraceParent(parent);
      const context = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
      const kind = SpanKind.SERVER;
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind, attributes }, context);
      const isRecorded = span.isRecording();
      return {
        id: isRecorded ? span.spanContext().traceId : null,
        run: (handle) => (isRecorded ? current.run(span, handle) : handle()),
        end(facts) {
          span.updateName(facts.route === null ? method : `${method} ${facts.route}`);
          span.setAttributes(describeRequest(facts));
          // A refusal is no failure of the service (semantic conventions for HTTP servers).
          if (facts.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    watchStatement(text) {
      const parent = current.getStore();
      if (!parent) return () => {};
      const short = text.replace(/\s+/g, ' ').trim().slice(0, MAX_STATEMENT);
      const span = tracer.startSpan(
        /^\w+/.exec(short)?.[0] ?? 'statement',
        {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': 'postgresql', 'db.query.text': short },
        },
        trace.setSpan(ROOT_CONTEXT, parent),
      );
      return (error) => {
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    bind: (work) => (current.getStore() ? AsyncResource.bind(work) : work),
    async [Symbol.asyncDispose]() {
      const ended = provider.shutdown().catch((error: unknown) => reportProblem(String(error)));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_WORDS_MS);
      });
      await Promise.race([ended, late]);
      clearTimeout(timer);
      diag.disable();
    },
  };
}
