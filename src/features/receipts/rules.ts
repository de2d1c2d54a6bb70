import { toTopic } from '../../kernel/hub.ts';

/** Version of the payload format. The meaning of a version never changes. */
export const PAYLOAD_VERSION = 1;

/** The states that the subject of a receipt can be in. */
export const subjectStates = ['current', 'superseded', 'withdrawn', 'deleted'] as const;

/** The state of the subject of a receipt. */
export type SubjectState = (typeof subjectStates)[number];

/** The state of a subject, its address, and its name for readers who may read it. */
export interface SubjectStatus {
  readonly state: SubjectState;
  /** Id of the newest receipt about the subject, if a later act supersedes an earlier one. */
  readonly supersededBy: string | null;
  /** Path on this installation, without /api/v1/. */
  readonly path: string;
  readonly name: string;
}

/** Builds the status of a subject that nothing supersedes. */
export const buildStatus = (deleted: boolean, path: string, name: string): SubjectStatus => ({
  state: deleted ? 'deleted' : 'current',
  supersededBy: null,
  path,
  name,
});

/** Returns the status of an enrollment in credits. Each agent has one, and it never changes. */
export const getEnrollmentStatus = (): SubjectStatus =>
  buildStatus(false, 'enrollment', 'its enrollment in credits');

/** Describes an offer by its kind and amount. */
export const toOfferStatus = ({
  id,
  kind,
  amount,
}: {
  readonly id: string;
  readonly kind: string;
  readonly amount: number;
}): SubjectStatus => buildStatus(false, `offers/${id}`, `a ${kind} of ${amount} earned units`);

/** Describes a campaign. It stays current after it was stopped, because its notices were sent. */
export const toCampaignStatus = ({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string;
}): SubjectStatus => buildStatus(false, `campaigns/${id}`, `the campaign "${name}"`);

/** Describes a task by its title. */
export const toTaskStatus = ({
  id,
  title,
}: {
  readonly id: string;
  readonly title: string;
}): SubjectStatus => buildStatus(false, `tasks/${id}`, `the task "${title}"`);

/** Returns the state that a receipt shows. The newest receipt is not superseded by itself. */
export const toCurrentState = (
  id: string,
  { state, supersededBy }: Pick<SubjectStatus, 'state' | 'supersededBy'>,
): Pick<SubjectStatus, 'state' | 'supersededBy'> =>
  supersededBy === null || supersededBy === id
    ? { state, supersededBy: null }
    : { state: state === 'current' ? 'superseded' : state, supersededBy };

/**
 * Returns the topic on which an agent waits for its receipts. Hints and waits for events hear
 * nothing of it: a receipt of an agent's own act is no news to them.
 */
export const toReceiptTopic = (agentId: string): string => toTopic(agentId);
