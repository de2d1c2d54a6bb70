import type { SubjectStatus } from './rules.ts';

interface VersionedSubject {
  readonly state: string;
  readonly newestReceipt: string | null;
  readonly about: string;
}

const MAX_SHOWN_LENGTH = 200;

/** Shortens the name of an external subject, which may be as long as an address. */
export const shorten = (about: string): string => {
  const letters = Array.from(about);
  return letters.length > MAX_SHOWN_LENGTH
    ? `${letters.slice(0, MAX_SHOWN_LENGTH).join('')}…`
    : about;
};

const toVersionedStatus = (
  { state, newestReceipt }: VersionedSubject,
  path: string,
  name: string,
): SubjectStatus => ({
  state: state === 'withdrawn' ? 'withdrawn' : 'current',
  supersededBy: newestReceipt,
  path,
  name,
});

/** Describes an interaction, whose later versions supersede earlier ones. */
export const toInteractionStatus = (
  one: VersionedSubject & { readonly interactionId: string },
): SubjectStatus =>
  toVersionedStatus(
    one,
    `interactions/${one.interactionId}`,
    `an interaction about ${shorten(one.about)}`,
  );

/** Describes evidence for an interaction. */
export const toEvidenceStatus = (
  one: VersionedSubject & { readonly interactionId: string },
): SubjectStatus =>
  toVersionedStatus(
    one,
    `interactions/${one.interactionId}`,
    `evidence to an interaction about ${shorten(one.about)}`,
  );

/** Describes evidence for work on a task. */
export const toWorkEvidenceStatus = (
  one: Omit<VersionedSubject, 'about'> & { readonly assignmentId: string; readonly title: string },
): SubjectStatus =>
  toVersionedStatus(
    { ...one, about: one.title },
    `assignments/${one.assignmentId}`,
    `evidence to work for the task "${one.title}"`,
  );

/** Describes an identity claim. */
export const toClaimStatus = (
  one: VersionedSubject & { readonly id: string; readonly claim: string },
): SubjectStatus =>
  toVersionedStatus(
    one,
    `identity-claims/${one.id}`,
    `a claim "${one.claim}" about ${shorten(one.about)}`,
  );
