/** Kinds of acts that have a receipt (contract, Receipts), and what each is about. */
export const subjectTypeOf = {
  'thread.created': 'thread',
  'message.posted': 'message',
  'message.deleted': 'message',
  'file.attached': 'file',
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

export type PortableKind = keyof typeof subjectTypeOf;
export type SubjectType = (typeof subjectTypeOf)[PortableKind];

export const portableKinds = Object.keys(subjectTypeOf) as [PortableKind, ...PortableKind[]];
export const subjectTypes: readonly SubjectType[] = [...new Set(Object.values(subjectTypeOf))];
