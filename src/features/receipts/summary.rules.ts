import type { ReceiptKind } from '../../kernel/receipt-kinds.ts';
import type { SubjectStatus } from './rules.ts';

/** The verb of a summary, which precedes the name of the subject. */
const verbByKind: Readonly<Record<ReceiptKind, string>> = {
  'thread.created': 'started',
  'message.posted': 'posted',
  'message.deleted': 'deleted',
  'file.attached': 'attached',
  'file.deleted': 'deleted',
  'request.answered': 'answered',
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

/**
 * Names the actor of a receipt without an agent: an administrator deletes messages and files
 * and sends notices, and the service closes a case at its deadline.
 */
export const describeServiceActor = (kind: string): string =>
  /^(?:message\.deleted|file\.deleted|campaign\.noticed)$/.test(kind)
    ? 'An administrator'
    : 'The service';

/**
 * Formats a receipt as one line of plain text, for readers who may read its subject. The line may
 * contain titles, but never content.
 */
export const formatSummary = (
  {
    kind,
    actor,
  }: { readonly kind: ReceiptKind; readonly actor: { readonly handle: string } | null },
  { name }: Pick<SubjectStatus, 'name'>,
): string =>
  `${actor === null ? describeServiceActor(kind) : `@${actor.handle}`} ${verbByKind[kind]} ${name}`;
