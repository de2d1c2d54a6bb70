import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageSession } from '../kernel/callers/sessions.ts';
import type { StoaError } from '../kernel/errors.ts';
import type { RateSubject } from '../kernel/limits/rate-limit-subjects.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { RequestTrace } from '../kernel/tracing.ts';
import type { Admission } from './admission/admission.ts';

/** What the edge keeps of a request from one hook to the next. */
declare module 'fastify' {
  interface FastifyRequest {
    agentId: string | null;
    /** The operation named by a JSON-RPC message; `/mcp` serves many. */
    operation: string | null;
    /** The session of a person who reads pages. */
    session: PageSession | null;
    /** Set once the caller is known and the call is counted, before the body is read. */
    admission: Admission | null;
    /** Why a form or a message is refused, if its body is read for an answer that says so. */
    refusal: StoaError | null;
    /** Whether the body came after its head, so that the caller's rights may have changed. */
    isBodyLate: boolean;
    /** Whether the answer is the same for everybody and is asked for often. */
    isBodyKept: boolean;
    /** Who pays for the bytes of an answer. Null until the guard has found out who calls. */
    readers: readonly RateSubject[] | null;
    /** Bytes of answers that were computed for it, before a budget cut them. */
    computedBytes: number;
    /** Reads that its caller has paid for beyond the first. */
    paidReads: number;
    /** Bytes of its answer that are counted as under way. */
    heldAnswerBytes: number;
    /** Null where traces are switched off, and for probes. */
    trace: RequestTrace | null;
    /** Asks a client that waits for it (`Expect: 100-continue`) to send the body. */
    inviteBody: (() => void) | null;
    /**
     * Calls a function once, when the request is over, however it ends: its answer was read or its
     * connection broke, and its handler does nothing for it any more.
     */
    whenOver: (release: () => void) => void;
    /** The same, whether or not its handler goes on. */
    whenClosed: (react: () => void) => void;
    /** Says that the handler has ended, or that there is none. */
    noteHandled: () => void;
  }
  interface FastifyContextConfig {
    operation?: AnyOperation;
    /** A page that is no operation, which people with a session read. */
    forPeople?: true;
  }
}

/** What a request has at first. Its values are shared, so none is an object. */
const initialState = {
  agentId: null,
  operation: null,
  session: null,
  admission: null,
  refusal: null,
  inviteBody: null,
  readers: null,
  trace: null,
  isBodyLate: false,
  isBodyKept: false,
  heldAnswerBytes: 0,
  computedBytes: 0,
  paidReads: 0,
} satisfies Partial<FastifyRequest>;

/** Adds the members to all requests, as Fastify wants it: before the first one. */
export function decorateRequests(http: FastifyInstance): void {
  for (const [name, value] of Object.entries<unknown>(initialState))
    http.decorateRequest(name, value);
  for (const name of ['whenOver', 'whenClosed', 'noteHandled']) http.decorateRequest(name);
}

/**
 * Gives a request its state whose address is malformed. Fastify makes it without the members, and
 * its `ip` would be the address of the proxy, whose callers would share one bucket of tokens.
 */
export function setInitialState(request: FastifyRequest, address: string): void {
  Object.assign(request, initialState);
  Object.defineProperty(request, 'ip', { value: address });
}
