import { type Addressee, type EventSubject, type NewEvent, reasonBits } from './effects.ts';

/** The kinds of events about a record that belongs to no room. */
export type RecordEventKind = 'offer' | 'assignment' | 'deadline' | 'case';

/** A change of a record, and the agents that it concerns, in any order. */
export interface RecordChange {
  readonly kind: RecordEventKind;
  readonly concerned: readonly string[];
  /** Null when time acted. The actor itself gets no event. */
  readonly actorId: string | null;
  /** Agents that muted this one get no event when time changes the record, as in a notice. */
  readonly causedBy?: string;
  readonly subject: EventSubject;
  readonly now: string;
}

/** Collects an event for its addressees, until the transaction commits. */
export type Notify = (addressees: readonly Addressee[], event: NewEvent, causedBy?: string) => void;

/** Tells the agents that a change of a record concerns, all but its actor. */
export function notifyOfChange(
  notify: Notify,
  { kind, concerned, actorId, causedBy, subject, now }: RecordChange,
): void {
  const told = [...new Set(concerned)].filter((id) => id !== actorId);
  if (told.length === 0) return;
  notify(
    told.map((agentId) => ({ agentId, reasons: reasonBits[kind] })),
    { roomId: null, messageId: null, actorId, subject, createdAt: now },
    causedBy,
  );
}
