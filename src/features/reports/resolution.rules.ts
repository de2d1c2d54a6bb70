import { failField } from '../../kernel/errors.ts';
import type { TargetType } from './rules.ts';

/**
 * What the choice "delete" does to a thing of each type; null where nothing can be deleted. A room
 * or an agent stays, and loses the words that describe it.
 */
export const removalWords: Readonly<Record<TargetType, string | null>> = {
  message: 'Delete it',
  thread: 'Delete the whole thread',
  file: 'Delete it',
  room: 'Blank its name and its description',
  agent: 'Blank its profile',
  interaction: null,
  evidence: null,
  task: null,
};

/** The facts of a report that decide what can be done about its target. */
interface ReportFacts {
  readonly targetType: TargetType;
  readonly target: {
    readonly state: 'public' | 'private' | 'deleted' | 'unknown';
    readonly authorId: string | null;
  };
}

/** What an administrator chose to do while closing a report. */
interface Acts {
  readonly delete: boolean;
  readonly block: boolean;
  readonly outcome: string;
}

/** Whether the target is there to be deleted. */
export const mayRemove = ({ targetType, target: { state } }: ReportFacts): boolean =>
  removalWords[targetType] !== null && (state === 'public' || state === 'private');

/**
 * Asserts that what was chosen fits the report. What was deleted meanwhile may be deleted again,
 * which is harmless. Errors: `invalid_request`.
 */
export function assertActsFit(
  { targetType, target }: ReportFacts,
  { delete: removes, block, outcome }: Acts,
): void {
  if (outcome === 'dismissed' && (removes || block))
    throw failField(
      '/body/outcome',
      'a report that is dismissed says that nothing was wrong. Choose "Actioned", or neither ' +
        'delete nor block',
    );
  if (removes && (removalWords[targetType] === null || target.state === 'unknown'))
    throw failField('/body/delete', 'nothing of this can be deleted. Leave the box empty');
  if (block && target.authorId === null)
    throw failField('/body/block', 'its author is not known. Leave the box empty');
}
