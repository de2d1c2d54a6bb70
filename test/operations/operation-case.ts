import type { ErrorCode } from '../../src/kernel/errors.ts';
import type { TestApp } from '../support/app.ts';
import type { factories, Json, RequestOptions, TestAgent } from '../support/factories.ts';
import type { Fixture, OperationInput } from './fixture.ts';

/**
 * What the suites over all operations know of one operation beyond its own declaration. Method,
 * path, credential, scope, schemas and codes come from the declaration; a case states only what
 * the declaration cannot: an example and what the contract expects of it.
 *
 * Every operation of the registry has exactly one, in `test/features/<feature>/cases.ts`.
 */
export interface OperationCase {
  /** Makes a call that succeeds. */
  readonly call: MakeCall;
  /**
   * How each declared code comes about that the operation itself answers with. Codes that the
   * pipeline answers with are provoked for all operations alike in declared-errors.test.ts; a code
   * that is listed here overrides that.
   */
  readonly errors?: ErrorCases;
  /**
   * Who may make the call. Answers alone, usually a preset of access.ts, expect them of the input
   * of `call`. Where the answer depends on what the call is about, there is a row for each.
   */
  readonly access: Answers | readonly AccessRow[];
  /**
   * Members of the acknowledgement, sorted, as the contract names them. `record` is for mutations
   * that answer with a record of their own. Every mutation that answers with JSON has one.
   */
  readonly ack?: readonly string[] | 'record';
  /** The contract marks the operation Idem; the suites compare the declaration with it. */
  readonly idempotency?: 'required';
  /**
   * How the member of the body that the contract calls a name reads back once it is stored, for
   * each such member.
   */
  readonly names?: Readonly<Record<string, ReadBack>>;
  /** Every list of the registry has one: the operations that take `offset` and answer an array. */
  readonly list?: ListCase;
  /**
   * The call takes away the key that makes it. After `revoked` even its own replay is refused; the
   * key that was `rotated` still gets that.
   */
  readonly endsKey?: 'revoked' | 'rotated';
  /**
   * After the call, the fixture is not what other calls expect of it, or the same call changes
   * nothing a second time, as with a PUT that sets a value. Suites that share a fixture make a new
   * one then.
   */
  readonly spoilsFixture?: true;
}

/** The cases of a feature by the names of its operations. */
export type OperationCases = Readonly<Record<string, OperationCase>>;

/** What a case may use to make its call. */
export interface CaseSetup {
  readonly app: TestApp;
  readonly f: ReturnType<typeof factories>;
  /** Calls may be made in it by any of its agents. It is shared, so prefer agents of your own. */
  readonly fixture: Fixture;
}

/**
 * A call that succeeds: its input, who makes it, and another input that the operation would take as
 * well (null or absent when it takes none).
 */
export interface ValidCall {
  readonly input: OperationInput;
  readonly as: RequestOptions;
  readonly other?: OperationInput | null;
}

export type MakeCall = (setup: CaseSetup) => ValidCall | Promise<ValidCall>;

/** A call that must be refused, on another node where that takes other settings. */
export interface ErrorCase {
  readonly input: OperationInput;
  readonly as: RequestOptions;
  readonly url?: string;
}

/** Prepares the situation in which the operation must answer with a code. */
export type MakeErrorCase = (setup: CaseSetup) => ErrorCase | Promise<ErrorCase>;

export type ErrorCases = Readonly<Partial<Record<ErrorCode, MakeErrorCase>>>;

/** Builds the input of a call from the fixture. */
export type BuildInput = (setup: CaseSetup) => OperationInput | Promise<OperationInput>;

/** Every kind of caller, in the order in which access.test.ts has them call. */
export const callers = [
  'anonymous',
  'outsider',
  'member',
  'removed',
  'owner',
  'blocked',
  'administrator',
  'guest',
] as const;
export type Caller = (typeof callers)[number];

/** How a call ends, for each caller. */
export type Answers = Readonly<Record<Caller, 'ok' | ErrorCode>>;

/** A setup for one caller: some calls use up what they act on, so each caller has its own. */
export interface AccessSetup extends CaseSetup {
  readonly caller: Caller;
  /** The key of the guest's context. */
  readonly guestKey: string;
}

export interface AccessRow {
  /** What the call is about, for the title of the test. */
  readonly on?: string;
  /** Builds the input; that of `call` by default. */
  readonly input?: (setup: AccessSetup) => OperationInput | Promise<OperationInput>;
  readonly expected: Answers;
}

/** Reads a member back after a call stored it, as this caller. */
export type ReadBack = (
  setup: Pick<CaseSetup, 'app' | 'f'>,
  stored: { readonly body: Json; readonly as: RequestOptions },
) => Promise<unknown>;

/** How lists.test.ts fills and reads a list. */
export interface ListCase {
  /**
   * Members that order the list, the newest first. Absent for other orders: the feature's own tests
   * check those.
   */
  readonly order?: readonly [string, ...string[]];
  /** The answers carry X-Total-Count. */
  readonly total?: true;
  readonly arrange: (setup: ListSetup) => ListRows | Promise<ListRows>;
}

export interface ListSetup extends Pick<CaseSetup, 'app' | 'f'> {
  /** Owns `room`, which is public. Reads the list unless `as` says otherwise. */
  readonly owner: TestAgent;
  readonly room: string;
}

export interface ListRows {
  readonly input?: OperationInput;
  readonly as?: RequestOptions;
  /**
   * Creates one more row. Runs once a turn, each turn a little later than the one before, some of
   * them at the same moment. `guest` is an agent that was registered for this turn.
   */
  readonly createRow?: (turn: ListTurn) => Promise<unknown>;
  /** How many rows there are in the end, 100 at most; by default one for each turn. */
  readonly count?: (turns: number) => number | Promise<number>;
}

export interface ListTurn {
  readonly index: number;
  readonly guest: TestAgent;
}
