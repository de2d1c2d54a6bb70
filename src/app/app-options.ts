import type { Logger } from 'pino';
import type { Blobs } from '../blobs/blobs.ts';
import type { Connection } from '../db/connection.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/ids.ts';
import type { Tracing } from '../kernel/tracing.ts';

/** The environment in which the service runs. Tests replace parts of it, such as the clock. */
export interface AppOptions {
  readonly connection: Connection;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The store of files, instead of the one that the settings name. */
  readonly blobs?: Blobs;
  /** Collects the metrics of all processes of the service, if there are several. */
  readonly collectAllMetrics?: () => Promise<string>;
  /** Whether to check every answer against its schema. Tests do. */
  readonly checkOutputs?: boolean;
  /**
   * Whether jobs run only when `jobs.runDue` is called. It is for tests that look at everything
   * that is stored.
   */
  readonly manualJobs?: boolean;
  /** Records traces, if they are switched on. The service ends it when it stops. */
  readonly tracing?: Tracing | undefined;
}
