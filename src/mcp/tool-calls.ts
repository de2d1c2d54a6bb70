import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { Call, Environment, Execute } from '../kernel/pipeline/environment.ts';
import { fail, toProblem } from '../kernel/errors.ts';
import { assertKeepable } from '../kernel/schema/json.ts';
import type { Exchange } from '../kernel/pipeline/tool-protocol.ts';
import { inArguments, inputOf } from './tool-arguments.ts';
import { readPart } from './read-content.ts';
import { refusal, toolResult } from './tool-results.ts';
import type { PreparedTool } from './tools.ts';

export type Arguments = Readonly<Record<string, unknown>>;

interface Message {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly name?: unknown; readonly arguments?: Arguments };
}

/** What a message says, whatever it is. */
export const asMessage = (message: unknown): Message => (message ?? {}) as Message;

/**
 * The message without the arguments of its call: those are taken as they were sent. The library would copy and check them, long as they may be,
 * and its copy lacks what REST would refuse by its name.
 */
export function withoutArguments(message: unknown): unknown {
  const { method, params } = asMessage(message);
  const given: unknown = params?.arguments;
  if (
    method !== 'tools/call' ||
    typeof given !== 'object' ||
    given === null ||
    Array.isArray(given)
  )
    return message;
  return { ...asMessage(message), params: { ...params, arguments: {} } };
}

/** A call without its input: who, from where. */
export const callerOf = ({ credentials, address, onRate, onCaller }: Exchange): Call => ({
  credentials,
  address,
  idempotencyKey: undefined,
  params: {},
  query: {},
  body: undefined,
  ...(onRate && { onRate }),
  ...(onCaller && { onCaller }),
});

/** Only a file needs a long message: other bodies are as long as over REST. Errors: `payload_too_large`. */
function assertShort(
  { installation }: Environment,
  { upload }: AnyOperation,
  { bytes }: Exchange,
): void {
  const { jsonBodyBytes: limit } = installation.limits;
  if (!upload && bytes > limit)
    throw fail(
      'payload_too_large',
      `The message is larger than ${limit} bytes. Send less, or attach a file.`,
      { limit },
    );
}

/** Makes the call that a tool stands for. Whatever is thrown is told as the result: for the model to act on. */
export async function runTool(
  env: Environment,
  execute: Execute,
  words: (text: string) => string,
  tool: PreparedTool,
  given: Arguments,
  exchange: Exchange,
): Promise<CallToolResult> {
  const { operation, places } = tool;
  exchange.onOperation(operation.name);
  try {
    assertShort(env, operation, exchange);
    assertKeepable(given, '/arguments');
    const { range, ...input } = inputOf(operation, places, given);
    const waits = operation.kind === 'call' && operation.longPoll !== undefined;
    const call: Call = {
      ...callerOf(exchange),
      ...input,
      ...(waits && { signal: exchange.signal() }),
    };
    if (operation.kind === 'content') return await readPart(env, operation, call, range);
    return toolResult(tool, await execute(operation, call), call.query, env.random);
  } catch (thrown) {
    return refusal(
      toProblem(
        inArguments(exchange.toError(thrown), places, words),
        env.installation.baseUrl,
        exchange.requestId,
      ),
    );
  }
}
