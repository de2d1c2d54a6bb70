import type { IdempotencyKeys } from './import-keys.ts';
import type { ImportFormat, ImportPlan } from './import-plan.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportedMessage, ImportService } from './import-service.ts';
import type { ImportState } from './import-state.ts';
import type { Progress } from './progress.ts';

/** A message on the service, with what an earlier run did to it. */
export type PlacedMessage = Pick<ImportedMessage, 'id' | 'files' | 'request'>;

/** The values that the steps of an import share. */
export interface ImportContext {
  readonly file: string;
  readonly format: ImportFormat;
  readonly plan: ImportPlan;
  readonly state: ImportState;
  readonly service: ImportService;
  readonly keys: IdempotencyKeys;
  readonly report: ImportReport;
  readonly progress: Progress;
  /** How many calls run at once. */
  readonly width: number;
  /** Messages on the service by their ids in the file. Each run finds them anew. */
  readonly messages: Map<string, PlacedMessage>;
}

/** Returns a value that an earlier step has provided. Errors: Error when it is undefined. */
export function assertKnown<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step of the import was skipped');
  return value;
}

/** Returns the client of an author's agent. */
export const getAuthorClient = ({ state, service }: ImportContext, author: string) =>
  service.asAgent(assertKnown(state.accounts.get(author)));

/** Returns the client of a room's owner, who can read everything in it. */
export const getOwnerClient = (work: ImportContext, room: string) =>
  getAuthorClient(work, assertKnown(work.plan.rooms.get(room)).owner);
