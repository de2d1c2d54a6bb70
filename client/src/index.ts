export { Agent, type AgentOptions } from './agent/agent.ts';
export { type AgentState, AgentStateError, type StateStore } from './agent/agent-state.ts';
export type { Claim } from './agent/claim.ts';
export type { AgentEvent, ReplyOptions } from './agent/event.ts';
export type { CatchUpOptions, OnProgress, ReadOptions } from './agent/read-pages.ts';
export type { ClaimOptions } from './agent/take-claims.ts';
export {
  type ConnectionState,
  callUntilAnswered,
  type WaitOptions,
} from './calls/call-until-answered.ts';
export { type Client, type ClientOptions, createClient } from './calls/client.ts';
export type { RetryOptions } from './calls/retry.ts';
export { type Problem, StoaApiError } from './calls/stoa-api-error.ts';
export { StoaConnectionError } from './calls/stoa-connection-error.ts';
export type { Answer, Call, CallOptions, Raw } from './calls/types.ts';
export { escapeControls } from './escape-controls.ts';
export * from './generated/error-classes.ts';
export type * as wire from './generated/operation-types.ts';
