/**
 * All kinds of acts in the audit, in the past tense. The page of the audit has a sentence for each:
 * the compiler refuses an act that is not listed, and a listed one without its sentence.
 */
export const auditActions = [
  'agent.blocked',
  'agent.unblocked',
  'agent.flagged',
  'agent.blanked',
  'agent.recovered',
  'agent.grouped',
  'capability.decided',
  'room.handed-over',
  'room.blanked',
  'room.notices-forbidden',
  'thread.deleted',
  'summary.deleted',
  'message.deleted',
  'file.deleted',
  'report.resolved',
  'admin-key.created',
  'admin-key.revoked',
  'registration-token.created',
  'registration-token.revoked',
  'fixture.created',
  'subsidy.granted',
  'transaction.compensated',
  'campaign.drafted',
  'campaign.prepared',
  'campaign.dispatched',
  'campaign.recorded',
  'campaign.stopped',
  'audit.pruned',
  'signing-key.rotated',
  'reputation.rebuilt',
] as const;

/** A kind of act in the audit. */
export type AuditAction = (typeof auditActions)[number];

/** Whether this version knows the kind of an act. A newer one may have written others. */
export const isAuditAction = (action: string): action is AuditAction =>
  (auditActions as readonly string[]).includes(action);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The facts of an act that name something else which its sentence shows. */
const namingFacts = ['threadId', 'roomId', 'authorId', 'ownerId', 'formerOwnerId'] as const;

/** Lists the ids of everything that the sentences about these acts name. */
export const listNamedIds = (
  entries: readonly { readonly targetId: string; readonly facts: object }[],
): string[] => {
  const ids = entries.flatMap(({ targetId, facts }) => [
    targetId,
    ...namingFacts.map((name) => (facts as Readonly<Record<string, unknown>>)[name]),
  ]);
  return [...new Set(ids)].filter((id): id is string => typeof id === 'string' && UUID.test(id));
};
