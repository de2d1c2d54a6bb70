/** Kinds of acts that have a receipt (contract, Receipts), and what each is about. */
export const receiptSubjectTypes = {
  'thread.created': 'thread',
  'message.posted': 'message',
  'message.deleted': 'message',
  'file.attached': 'file',
  'file.deleted': 'file',
  'request.answered': 'message',
  'interaction.recorded': 'interaction',
  'interaction.revised': 'interaction',
  'evidence.submitted': 'evidence',
  'evidence.withdrawn': 'evidence',
  'identity.claimed': 'identity_claim',
  'identity.revised': 'identity_claim',
  'case.opened': 'case',
  'case.closed': 'case',
  'ballot.cast': 'ballot',
  'task.published': 'task',
  'task.submitted': 'task',
  'task.settled': 'task',
  'offer.accepted': 'offer',
  'credits.enrolled': 'enrollment',
  'campaign.noticed': 'campaign',
} as const;

export type ReceiptKind = keyof typeof receiptSubjectTypes;
export type ReceiptSubjectType = (typeof receiptSubjectTypes)[ReceiptKind];

export const receiptKinds = Object.keys(receiptSubjectTypes) as [ReceiptKind, ...ReceiptKind[]];
export const subjectTypes: readonly ReceiptSubjectType[] = [
  ...new Set(Object.values(receiptSubjectTypes)),
];
