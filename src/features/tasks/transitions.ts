import type { StateMachine } from '../../kernel/records/versioned.ts';

/** States of a task. */
export const taskStates = ['open', 'full', 'closed', 'cancelled'] as const;
/** The state of a task. */
export type TaskState = (typeof taskStates)[number];

/** Changes of the slots of a task, and its cancellation. */
export const taskTriggers = ['free', 'fill', 'close', 'cancel'] as const;
/** A trigger of a transition of a task. */
export type TaskTrigger = (typeof taskTriggers)[number];

/**
 * Transitions of a task: a slot can be taken (`free`), none can (`fill`), or all are settled
 * (`close`).
 */
export const taskMachine: StateMachine<TaskState, TaskTrigger> = {
  open: { free: 'open', fill: 'full', close: 'closed', cancel: 'cancelled' },
  full: { free: 'open', fill: 'full', close: 'closed' },
  closed: {},
  cancelled: {},
};

/** States of an assignment. */
export const assignmentStates = [
  'assigned',
  'submitted',
  'paid',
  'refused',
  'unresolved',
  'abandoned',
  'expired',
] as const;
/** The state of an assignment. */
export type AssignmentState = (typeof assignmentStates)[number];

/** Changes of an assignment, as verbs, because error messages contain them. */
export const assignmentTriggers = [
  'submit',
  'abandon',
  'expire',
  'uphold',
  'reject',
  'leave undecided',
  'submit evidence for',
  'withdraw evidence of',
] as const;
/** A trigger of a transition of an assignment. */
export type AssignmentTrigger = (typeof assignmentTriggers)[number];

const evidenceKeeps = <S extends AssignmentState>(state: S) => ({
  'submit evidence for': state,
  'withdraw evidence of': state,
});

/**
 * Transitions of an assignment, from the contract's table (section 6). Evidence about work comes
 * and goes after its settlement too, because it can open a superseding round; it changes no state.
 */
export const assignmentMachine: StateMachine<AssignmentState, AssignmentTrigger> = {
  assigned: { submit: 'submitted', abandon: 'abandoned', expire: 'expired' },
  submitted: {
    uphold: 'paid',
    reject: 'refused',
    'leave undecided': 'unresolved',
    ...evidenceKeeps('submitted'),
  },
  unresolved: {
    uphold: 'paid',
    reject: 'refused',
    ...evidenceKeeps('unresolved'),
  },
  paid: evidenceKeeps('paid'),
  refused: evidenceKeeps('refused'),
  abandoned: {},
  expired: {},
};

/**
 * Where the units of a slot go when its assignment reaches a state. In all other states the units
 * stay reserved, or the slot is free again: then the deadline gives the units of the slot back.
 */
export const settlementByAssignmentState: Readonly<
  Partial<Record<AssignmentState, 'paid' | 'returned'>>
> = {
  paid: 'paid',
  refused: 'returned',
};

/** The trigger of an assignment by the result of a closed round. */
export const triggerByResult = {
  upheld: 'uphold',
  rejected: 'reject',
  inconclusive: 'leave undecided',
} as const satisfies Record<string, AssignmentTrigger>;
