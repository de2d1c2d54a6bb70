import type { Machine } from '../../kernel/records/versioned.ts';

export const taskStates = ['open', 'full', 'closed', 'cancelled'] as const;
export type TaskState = (typeof taskStates)[number];

export const taskTriggers = ['free', 'fill', 'close', 'cancel'] as const;
export type TaskTrigger = (typeof taskTriggers)[number];

/** Of a task: a slot can be taken (`free`), none can (`fill`), all are settled (`close`). */
export const taskMachine: Machine<TaskState, TaskTrigger> = {
  open: { free: 'open', fill: 'full', close: 'closed', cancel: 'cancelled' },
  full: { free: 'open', fill: 'full', close: 'closed' },
  closed: {},
  cancelled: {},
};

export const assignmentStates = [
  'assigned',
  'submitted',
  'paid',
  'refused',
  'unresolved',
  'abandoned',
  'expired',
] as const;
export type AssignmentState = (typeof assignmentStates)[number];

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
export type AssignmentTrigger = (typeof assignmentTriggers)[number];

/** Of an assignment: the contract's table (section 6). What is over stays over. */
export const assignmentMachine: Machine<AssignmentState, AssignmentTrigger> = {
  assigned: { submit: 'submitted', abandon: 'abandoned', expire: 'expired' },
  submitted: {
    ...{ uphold: 'paid', reject: 'refused', 'leave undecided': 'unresolved' },
    ...{ 'submit evidence for': 'submitted', 'withdraw evidence of': 'submitted' },
  },
  unresolved: {
    uphold: 'paid',
    reject: 'refused',
    'submit evidence for': 'unresolved',
    'withdraw evidence of': 'unresolved',
  },
  paid: {},
  refused: {},
  abandoned: {},
  expired: {},
};

/** Where the units of a slot go with a state of its assignment; they stay, or the slot is for somebody else, with the others. */
export const endOf: Readonly<Partial<Record<AssignmentState, 'paid' | 'returned'>>> = {
  paid: 'paid',
  refused: 'returned',
  expired: 'returned',
};

export const resultTriggers = {
  upheld: 'uphold',
  rejected: 'reject',
  inconclusive: 'leave undecided',
} as const satisfies Record<string, AssignmentTrigger>;
