import type { Keys } from './keys.ts';
import type { Format, Plan } from './import-plan.ts';
import type { Progress } from './progress.ts';
import type { Report } from './report.ts';
import type { Message, Service } from './import-service.ts';
import type { State } from './import-state.ts';

/** A message on the service, with the files that an earlier run attached. */
export type Placed = Pick<Message, 'id' | 'files'>;

/** What the steps of an import share. */
export interface Work {
  readonly file: string;
  readonly format: Format;
  readonly plan: Plan;
  readonly state: State;
  readonly service: Service;
  readonly keys: Keys;
  readonly report: Report;
  readonly progress: Progress;
  /** How much is done at once. */
  readonly width: number;
  /** Messages on the service by what the plan calls them, as far as it calls them anything. Found anew in each run. */
  readonly messages: Map<string, Placed>;
}

/** A fact that an earlier step made sure of. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step of the import was left out');
  return value;
}

/** The service as an author's agent sees it. */
export const asAuthor = ({ state, service }: Work, author: string) =>
  service.as(known(state.accounts.get(author)));

/** The service as the owner of a room sees it: all that is in it. */
export const asOwner = (work: Work, room: string) =>
  asAuthor(work, known(work.plan.rooms.get(room)).owner);
