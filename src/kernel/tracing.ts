/** What became of a request. */
export interface RequestFacts {
  /** The pattern of its path; null where no route has it. */
  readonly route: string | null;
  /** The name of the operation that answered, or the route where there is none. */
  readonly operation: string;
  readonly requestId: string;
  readonly status: number;
  /** The agent whose key it had. */
  readonly agentId: string | null;
}

/** The trace of one request. */
export interface RequestTrace {
  /** The id of the trace, as 32 hexadecimal digits. Null when this one is not recorded. */
  readonly id: string | null;
  /** Runs a function in the trace. Whatever follows from it belongs to the trace, too. */
  run(handle: () => void): void;
  end(facts: RequestFacts): void;
}

/** Records where the time of requests goes. */
export interface Tracing extends AsyncDisposable {
  /**
   * Begins the trace of a request. `parent` is the caller's own trace, as in the header
   * `traceparent` (W3C Trace Context).
   */
  begin(method: string, parent: string | undefined): RequestTrace;
  /**
   * Notes that a statement is sent, and returns what to call when its answer is there. Statements
   * outside of a trace are not recorded.
   */
  watchStatement(text: string): (error?: unknown) => void;
  /** Returns the function as one that always runs in the trace of now, whoever calls it. */
  bind<Arguments extends unknown[], Result>(
    work: (...given: Arguments) => Result,
  ): (...given: Arguments) => Result;
}
