import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import { undoing } from '../ledger/rules.ts';
import { assertAnswers, assertInTime, assertMayTake } from './assignments.rules.ts';
import { funding, paying, returning } from './movements.ts';
import { assertFits, assertMayWork, cancelled, freeSlots, standing, type Task } from './rules.ts';
import {
  type AssignmentState,
  assignmentMachine,
  assignmentStates,
  assignmentTriggers,
  endOf,
  resultTriggers,
  taskMachine,
  taskStates,
  taskTriggers,
} from './transitions.ts';

const [ada, bob] = ['ada', 'bob'];
const now = '2026-03-01T12:00:00.000Z';
const later = '2026-03-01T12:00:00.001Z';
const task = (more: Partial<Task> = {}): Task => ({
  ...{
    id: '01936f4e-8a2b-7c3d-9e4f-00000000000a',
    kind: 'artifact_review',
    title: 'T',
    instructions: 'I',
    rubric: [{ id: 'a', text: 'A?' }],
    reward: 5,
    slots: 3,
  },
  ...{
    deadline: later,
    decisionMethod: 'community',
    fixtureId: null,
    fundingUnit: 'earned',
    subsidyId: null,
    state: 'open',
    settled: 0,
    taken: [],
    released: false,
  },
  ...{ visibility: 'public', ownerId: ada, isInvited: false, inviteeIds: [] },
  ...more,
});
const refused = (code: string, members = {}) =>
  expect.objectContaining({ code, members: expect.objectContaining(members) });
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'ok';
  } catch (error) {
    if (error instanceof StoaError) return error.code;
    throw error;
  }
};

describe('a task', () => {
  const edges: readonly [settled: number, taken: number[], released: boolean, state: string][] = [
    // Of three slots: how many are settled, which are taken, whether the deadline was looked after.
    [0, [], false, 'open'],
    [0, [1, 2], false, 'open'],
    [2, [1, 3], false, 'open'],
    [0, [1, 2, 3], false, 'full'],
    [2, [1, 2, 3], false, 'full'],
    [2, [1], true, 'full'],
    [3, [1, 2, 3], false, 'closed'],
    [3, [1], true, 'closed'],
    [3, [], true, 'closed'],
  ];
  it.each(edges)(
    '[tasks.states] with %i of 3 slots settled, %j taken and released %s is %s',
    (settled, taken, released, state) => {
      for (const before of ['open', 'full'] as const)
        expect(standing({ slots: 3, settled, taken, released, state: before })).toBe(state);
      for (const before of ['closed', 'cancelled'] as const)
        expect(() => standing({ slots: 3, settled, taken, released, state: before })).toThrow(
          refused('state_conflict'),
        );
    },
  );

  it('[tasks.states] [assignments.states] goes no way that the tables do not name', () => {
    expect(
      taskStates.flatMap((state) =>
        taskTriggers.flatMap((trigger) => taskMachine[state][trigger] ?? []),
      ),
    ).toHaveLength(7);
    expect(
      assignmentStates.flatMap((state) =>
        assignmentTriggers.flatMap((trigger) => assignmentMachine[state][trigger] ?? []),
      ),
    ).toHaveLength(12);
    for (const [result, next] of [
      ['upheld', 'paid'],
      ['rejected', 'refused'],
      ['inconclusive', 'unresolved'],
    ] as const)
      expect(assignmentMachine.submitted[resultTriggers[result]]).toBe(next);
    expect(assignmentMachine.unresolved[resultTriggers.inconclusive]).toBeUndefined();
  });

  it('[tasks.once] settles a slot once at most, whatever the steps are', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...assignmentTriggers), { maxLength: 15 }), (steps) => {
        let state = 'assigned' as AssignmentState;
        let ends = 0;
        for (const step of steps) {
          const next: AssignmentState | undefined = assignmentMachine[state][step];
          if (next === undefined) continue;
          state = next;
          if (endOf[state]) ends++;
        }
        expect(ends).toBe(endOf[state] ? 1 : 0);
      }),
    );
  });

  it('[tasks.input] has members that go together', () => {
    const fits = (more: object = {}) =>
      codeOf(() =>
        assertFits({ ...task(), ...more }, now, { features: { adjudication: true } } as never),
      );
    expect(fits()).toBe('ok');
    expect(fits({ visibility: 'private', invitees: ['bob'] })).toBe('ok');
    expect(fits({ decisionMethod: 'fixture', fixtureId: 'f' })).toBe('ok');
    for (const more of [
      { deadline: now },
      { visibility: 'private' },
      { visibility: 'private', invitees: [] },
      { invitees: ['bob'] },
      { decisionMethod: 'fixture' },
      { fixtureId: 'f' },
      {
        rubric: [
          { id: 'a', text: 'A?' },
          { id: 'a', text: 'B?' },
        ],
      },
      { reward: Number.MAX_SAFE_INTEGER, slots: 2 },
      { reward: 3_002_399_751_580_331, slots: 3.0001 },
    ])
      expect(fits(more), JSON.stringify(more)).toBe('invalid_request');
    // A third of it is whole: the most that three slots can have.
    expect(fits({ reward: 3_002_399_751_580_330, slots: 3 })).toBe('ok');
    expect(() => assertFits(task(), now, { features: { adjudication: false } } as never)).toThrow(
      refused('capability_disabled', { capability: 'adjudication' }),
    );
  });

  it('[tasks.cancel] is cancelled by its owner, while nobody has a slot, before its deadline', () => {
    const attempt = (more: Partial<Task>, agent = ada) =>
      codeOf(() => cancelled(task(more), agent as string, now));
    expect(attempt({})).toBe('ok');
    expect(attempt({}, bob)).toBe('forbidden');
    for (const more of [
      { taken: [1] },
      { state: 'full' },
      { state: 'closed' },
      { state: 'cancelled' },
      { deadline: now },
    ] as const)
      expect(attempt(more)).toBe('state_conflict');
  });
});

describe('a slot', () => {
  const take = (more: Partial<Task> = {}, who: object = {}) =>
    assertMayTake(task(more), { id: bob as string, related: false, existingId: null, ...who }, now);

  it('[assignments.who] [assignments.slots] is the first that nobody has, and for each once', () => {
    expect([take(), take({ taken: [1, 3] })]).toEqual([1, 2]);
    expect(() => take({}, { id: ada })).toThrow(refused('not_eligible', { reason: 'owner' }));
    expect(() => take({}, { related: true })).toThrow(
      refused('not_eligible', { reason: 'operator_group' }),
    );
    expect(() => take({}, { existingId: 'x' })).toThrow(
      refused('already_exists', { existingId: 'x' }),
    );
    expect(() => take({ taken: [1, 2, 3], state: 'full' })).toThrow(
      refused('state_conflict', { state: 'full' }),
    );
    expect(() => take({ state: 'closed' })).toThrow(refused('state_conflict', { state: 'closed' }));
    expect(freeSlots({ slots: 3, taken: [2], released: true })).toEqual([]);
  });

  it('[assignments.deadline] is over at the very millisecond of the deadline', () => {
    expect(() => assertInTime({ deadline: later }, now)).not.toThrow();
    for (const deadline of [now, '2026-03-01T11:59:59.999Z']) {
      expect(() => assertInTime({ deadline }, now)).toThrow(
        refused('state_conflict', { state: 'expired' }),
      );
      expect(() => take({ deadline })).toThrow(refused('state_conflict', { state: 'closed' }));
    }
  });

  it('[assignments.answers] has answers to what was asked, each once', () => {
    const rubric = [
      { id: 'tests', text: 'T?' },
      { id: 'street', text: 'S?' },
    ];
    expect(
      codeOf(() => assertAnswers([{ criterionId: 'tests' }, { criterionId: 'street' }], rubric)),
    ).toBe('ok');
    for (const wrong of [
      [{ criterionId: 'other' }],
      [{ criterionId: 'tests' }, { criterionId: 'tests' }],
    ])
      expect(codeOf(() => assertAnswers(wrong, rubric))).toBe('invalid_request');
  });

  it('[tasks.blocked] is neither for blocked nor for synthetic agents', () => {
    const agent = { id: 'bob', blocked: false, synthetic: false };
    expect(() => assertMayWork(agent)).not.toThrow();
    expect(() => assertMayWork({ ...agent, blocked: true, synthetic: true })).toThrow(
      refused('agent_blocked'),
    );
    expect(() => assertMayWork({ ...agent, synthetic: true })).toThrow(
      refused('not_eligible', { reason: 'synthetic' }),
    );
  });
});

describe('the units of a task', () => {
  const earned = task();
  const trial = task({ fundingUnit: 'trial', subsidyId: 'g' });
  it('[tasks.funding] are set aside, and each slot is paid or given back under one reference', () => {
    expect(funding(earned)).toEqual({
      kind: 'task.funded',
      reference: `task:${earned.id}:funded`,
      amount: 15,
      transfers: [{ from: 'earned:available:ada', to: 'earned:reserved:ada' }],
    });
    expect(funding(trial).transfers).toEqual([
      { from: 'trial:available:ada', to: 'trial:sink' },
      { from: 'earned:grant:g', to: 'earned:escrow:g:10' },
    ]);
    expect(paying(trial, 2, 'bob')).toEqual({
      kind: 'task.paid',
      reference: `task:${trial.id}:slot:2`,
      amount: 5,
      transfers: [{ from: 'earned:escrow:g:10', to: 'earned:available:bob' }],
    });
    for (const one of [earned, trial]) {
      const back = returning(one, 2);
      expect([back.reference, back.amount]).toEqual([paying(one, 2, 'bob').reference, 5]);
      expect(back.transfers).toEqual(
        funding(one).transfers.map(({ from, to }) => ({ from: to, to: from })),
      );
    }
    // A pay that an administrator compensates goes back to whoever paid.
    const legs = paying(trial, 2, 'bob').transfers.flatMap(({ from, to }) => [
      { account: from, amount: -5 },
      { account: to, amount: 5 },
    ]);
    expect(undoing(legs)).toEqual([{ from: 'earned:available:bob', to: 'earned:grant:g' }]);
  });
});
