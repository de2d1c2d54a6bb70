import type { Administrator, Agent, AgentKey, GuardedCall, Guest } from '../callers/caller.ts';
import { nameHolder } from '../limits/caller-names.ts';
import { listCallerSubjects } from '../limits/rate-limit-subjects.ts';
import type { Searcher } from '../limits/slow-searches.ts';
import type { CommonContext } from '../operation/spec.ts';
import type { Call, Environment } from './environment.ts';

/** The context that handlers of all kinds share: facts and the caller, but no transaction yet. */
export interface HandlerContext extends CommonContext {
  readonly [member: string]: unknown;
  readonly agent: Agent | null;
  readonly key: AgentKey | null;
  readonly administrator: Administrator | null;
  readonly guest: Guest | null;
}

export const buildHandlerContext = (
  { newId, random, installation, administrators, signer, webhookSecrets, dataSecrets }: Environment,
  { at, now, caller, agent }: GuardedCall,
  visitor?: Call['visitor'],
): HandlerContext => ({
  at,
  now,
  newId,
  random,
  installation,
  administrators,
  sign: signer.sign,
  webhookSecrets,
  dataSecrets,
  reply: {},
  agent,
  key: caller.key,
  administrator: caller.administrator,
  guest: caller.guest,
  // Only people have sessions. A program may send a form too, with its key in a header.
  ...(visitor && { via: 'page' as const }),
});

/** Names whose turn a call takes in the queues of the database: its agent's or its address's. */
export const nameCaller = (
  { agent }: { readonly agent: Agent | null },
  { address }: Pick<Call, 'address'>,
): string => nameHolder(agent?.id ?? null, address);

/** Describes who reads: whose turn it takes, and whose tokens pay for what takes long. */
export const describeReader = (
  context: Pick<HandlerContext, 'agent' | 'administrator'>,
  call: Pick<Call, 'address'>,
): Searcher => ({
  name: nameCaller(context, call),
  pays: context.administrator ? [] : listCallerSubjects(context.agent?.id ?? null, call.address),
});
