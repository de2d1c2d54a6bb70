import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { monotonicClock } from '../../kernel/clock.ts';
import { version } from '../../kernel/package-file.ts';
import type { Tracing } from '../../kernel/tracing.ts';

/** Milliseconds between two lines that say that traces are not delivered. */
const QUIET_MS = 60_000;

/** Opens traces where the settings name a collector. The library is loaded only then. */
export async function openConfiguredTracing(
  settings: Settings,
  log: Logger,
): Promise<Tracing | undefined> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null) return undefined;
  const { openTracing } = await import('../../traces/otlp-tracing.ts');
  let quietUntil = Number.NEGATIVE_INFINITY;
  return openTracing({
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
    service: settings.SERVICE_NAME,
    version,
    instance: `${hostname()}-${process.pid}`,
    onError(message) {
      const now = monotonicClock();
      if (now < quietUntil) return;
      quietUntil = now + QUIET_MS;
      log.warn({ reason: message }, 'traces could not be delivered and were dropped');
    },
  });
}
