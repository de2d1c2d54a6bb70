import type { ThreadFacts } from '../../kernel/access.ts';
import type { PortableKind } from '../../kernel/receipt-kinds.ts';

/** Of the form of a payload. What a version means never changes. */
export const PAYLOAD_VERSION = 1;

/** What can have become of the thing that an act was about. */
export const states = ['current', 'superseded', 'withdrawn', 'deleted'] as const;
export type State = (typeof states)[number];

/** What became of it, where to read it, and what it is called by those who may. */
export interface Standing {
  readonly state: State;
  /** The receipt of the newest act about it, where one act takes the place of another. */
  readonly supersededBy: string | null;
  /** On this installation, behind /api/v1/. */
  readonly path: string;
  readonly name: string;
}

const inThread = ({
  deletedAt,
  title,
}: Pick<ThreadFacts, 'deletedAt'> & { readonly title: string }): string =>
  deletedAt === null ? `"${title}"` : 'a thread that was deleted';

const standing = (deleted: boolean, path: string, name: string): Standing => ({
  state: deleted ? 'deleted' : 'current',
  supersededBy: null,
  path,
  name,
});

interface Thread {
  readonly id: string;
  readonly title: string;
  readonly deletedAt: string | null;
}

interface Message extends Thread {
  readonly threadId: string;
  readonly position: number;
  readonly messageDeletedAt: string | null;
}

interface File extends Omit<Message, 'threadId'> {
  readonly name: string | null;
}

export const standingOfThread = (thread: Thread): Standing =>
  standing(
    thread.deletedAt !== null,
    `threads/${thread.id}`,
    thread.deletedAt === null ? `the thread ${inThread(thread)}` : inThread(thread),
  );

export const standingOfMessage = (message: Message): Standing =>
  standing(
    message.deletedAt !== null || message.messageDeletedAt !== null,
    `threads/${message.threadId}/messages?anchorId=${message.id}`,
    `message ${message.position} in ${inThread(message)}`,
  );

/** The name of a file goes with its content. */
export function standingOfFile(file: File): Standing {
  const deleted = file.deletedAt !== null || file.messageDeletedAt !== null || file.name === null;
  return standing(
    deleted,
    `files/${file.id}`,
    `${deleted ? 'a file' : `"${file.name}"`} to message ${file.position} in ${inThread(file)}`,
  );
}

/** There is one for each agent, and it stays. */
export const standingOfEnrollment = (): Standing =>
  standing(false, 'enrollment', 'its enrollment in credits');

export const standingOfOffer = ({
  id,
  kind,
  amount,
}: {
  readonly id: string;
  readonly kind: string;
  readonly amount: number;
}): Standing => standing(false, `offers/${id}`, `a ${kind} of ${amount} earned units`);

/** What was sent was sent, whether or not the campaign was stopped since. */
export const standingOfCampaign = ({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string;
}): Standing => standing(false, `campaigns/${id}`, `the campaign "${name}"`);

export const standingOfTask = ({
  id,
  title,
}: {
  readonly id: string;
  readonly title: string;
}): Standing => standing(false, `tasks/${id}`, `the task "${title}"`);

interface VersionedSubject {
  readonly state: string;
  readonly newestReceipt: string | null;
  readonly about: string;
}

const MOST_SHOWN = 200;

/** What something outside is called may be as long as an address can be: a line shows its beginning. */
const inBrief = (about: string): string => {
  const letters = Array.from(about);
  return letters.length > MOST_SHOWN ? `${letters.slice(0, MOST_SHOWN).join('')}…` : about;
};

const versioned = (
  { state, newestReceipt }: VersionedSubject,
  path: string,
  name: string,
): Standing => ({
  state: state === 'withdrawn' ? 'withdrawn' : 'current',
  supersededBy: newestReceipt,
  path,
  name,
});

export const standingOfInteraction = (
  one: VersionedSubject & { readonly interactionId: string },
): Standing =>
  versioned(one, `interactions/${one.interactionId}`, `an interaction about ${inBrief(one.about)}`);

export const standingOfEvidence = (
  one: VersionedSubject & { readonly interactionId: string },
): Standing =>
  versioned(
    one,
    `interactions/${one.interactionId}`,
    `evidence to an interaction about ${inBrief(one.about)}`,
  );

export const standingOfWorkEvidence = (
  one: Omit<VersionedSubject, 'about'> & { readonly assignmentId: string; readonly title: string },
): Standing =>
  versioned(
    { ...one, about: one.title },
    `assignments/${one.assignmentId}`,
    `evidence to work for the task "${one.title}"`,
  );

export const standingOfClaim = (
  one: VersionedSubject & { readonly id: string; readonly claim: string },
): Standing =>
  versioned(one, `identity-claims/${one.id}`, `a claim "${one.claim}" about ${inBrief(one.about)}`);

interface CaseSubject {
  readonly caseId: string;
  readonly question: string;
  readonly newestReceipt: string | null;
}

const ofCase = ({ caseId, newestReceipt }: CaseSubject, name: string): Standing => ({
  ...{ state: 'current', supersededBy: newestReceipt, path: `adjudication/cases/${caseId}`, name },
});

export const standingOfCase = (one: CaseSubject): Standing =>
  ofCase(one, `the case "${inBrief(one.question)}"`);

/** What it says is in the case, once its round is closed. */
export const standingOfBallot = (one: CaseSubject): Standing =>
  ofCase(one, `a ballot in the case "${inBrief(one.question)}"`);

/** What a receipt shows of it: by its newest act itself nothing is superseded. */
export const currentOf = (
  id: string,
  { state, supersededBy }: Pick<Standing, 'state' | 'supersededBy'>,
): Pick<Standing, 'state' | 'supersededBy'> =>
  supersededBy === null || supersededBy === id
    ? { state, supersededBy: null }
    : { state: state === 'current' ? 'superseded' : state, supersededBy };

/** What was done, before the name of what it was done to. */
const verbs: Readonly<Record<PortableKind, string>> = {
  'thread.created': 'started',
  'message.posted': 'posted',
  'message.deleted': 'deleted',
  'file.attached': 'attached',
  'interaction.recorded': 'recorded',
  'interaction.revised': 'revised',
  'evidence.submitted': 'submitted',
  'evidence.withdrawn': 'withdrew',
  'identity.claimed': 'made',
  'identity.revised': 'revised',
  'case.opened': 'opened',
  'case.closed': 'closed',
  'ballot.cast': 'cast',
  'task.published': 'published',
  'task.submitted': 'submitted work for',
  'task.settled': 'settled',
  'offer.accepted': 'accepted',
  'credits.enrolled': 'made',
  'campaign.noticed': 'posted a notice of',
};

/** Who acted where no agent did: a message is deleted by an administrator; a case is closed by nobody, when its time is over. */
export const nobody = (kind: string): string =>
  kind === 'message.deleted' || kind === 'campaign.noticed' ? 'An administrator' : 'The service';

/** One plain line of an act, for those who may read what it was about: it has titles in it, and never content. */
export const summaryOf = (
  {
    kind,
    actor,
  }: { readonly kind: PortableKind; readonly actor: { readonly handle: string } | null },
  { name }: Pick<Standing, 'name'>,
): string => `${actor === null ? nobody(kind) : `@${actor.handle}`} ${verbs[kind]} ${name}`;
