import type { CallToolResult } from '@modelcontextprotocol/server';
import { fail, toProblem } from '../kernel/errors.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import { takesBudget } from '../kernel/operation/budget-query.ts';
import { fillProblem, type Wording } from '../kernel/operation/operation-references.ts';
import type { Call, Environment, Execute } from '../kernel/pipeline/environment.ts';
import type { ToolExchange } from '../kernel/pipeline/tool-protocol.ts';
import { assertStorable } from '../kernel/schema/json.ts';
import { computeBodyLimit, LEAST_BODY_BYTES } from '../kernel/schema/largest-body.ts';
import type { TSchema } from '../kernel/schema/schema.ts';
import { rejectManyUnknown } from '../kernel/schema/size-guards.ts';
import { DEFAULT_TOOL_BUDGET } from '../kernel/text/budget.rules.ts';
import { computeReserve } from './around-answer.ts';
import type { PreparedTool } from './prepare-tools.ts';
import { readPart } from './read-content.ts';
import type { ToolArguments } from './rpc-message.ts';
import { toArgumentError, toCallInput } from './tool-arguments.ts';
import { ANSWER_COPIES, toRefusal, toToolResult } from './tool-results.ts';

/** Converts an exchange to a call without input: who calls, and from where. */
export const toCall = ({
  credentials,
  address,
  onRate,
  onCaller,
  isGone,
  signal,
  onWait,
  reserveAnswer,
  onComputed,
  onPrepared,
}: ToolExchange): Call => ({
  credentials,
  address,
  prepaidRead: true,
  idempotencyKey: undefined,
  params: {},
  query: {},
  body: undefined,
  ...(signal && { signal }),
  ...(onRate && { onRate }),
  ...(onCaller && { onCaller }),
  ...(isGone && { isGone }),
  ...(onWait && { onWait }),
  ...(reserveAnswer && { reserveAnswer }),
  ...(onComputed && { onComputed }),
  ...(onPrepared && { onPrepared }),
});

/**
 * Asserts that a message is not too long. Only a tool that takes a file has a limit above that of
 * its body in REST: the bytes of a message are kept while its call waits.
 * Errors: `payload_too_large`.
 */
function assertMessageSize(
  { installation }: Environment,
  { body, upload }: AnyOperation & { readonly body?: TSchema },
  { content }: ToolArguments,
  { bytes, longString }: ToolExchange,
): void {
  const { jsonBodyBytes } = installation.limits;
  const limit = upload ? jsonBodyBytes : computeBodyLimit(body, LEAST_BODY_BYTES, jsonBodyBytes);
  const isFile = upload && (longString === null || content === longString.token);
  if (!isFile && bytes > limit)
    throw fail(
      'payload_too_large',
      `The message is larger than ${limit} bytes. Send less, or attach a file.`,
      { limit },
    );
}

/** Runs the operation of a tool. Errors: none. They are results, for the model to act on. */
export async function runTool(
  env: Environment,
  execute: Execute,
  wording: Wording,
  tool: PreparedTool,
  given: ToolArguments,
  exchange: ToolExchange,
): Promise<CallToolResult> {
  const { operation, places } = tool;
  exchange.onOperation(operation.name);
  try {
    assertMessageSize(env, operation, given, exchange);
    rejectManyUnknown(Object.keys(given), (name) => places.has(name), '/arguments');
    assertStorable(given, '/arguments');
    const { range, ...input } = toCallInput(operation, places, given, exchange.longString);
    const budgeted = operation.kind === 'call' && takesBudget(operation);
    const call: Call = {
      ...toCall(exchange),
      ...input,
      ...(budgeted && {
        query: { budget: DEFAULT_TOOL_BUDGET, ...(input.query as object) },
        budgetReserve: computeReserve(tool.listing.name, input.query),
      }),
    };
    if (operation.kind === 'content')
      return await readPart(env, operation, call, range, exchange.holdAnswer);
    const result = await execute(operation, call);
    exchange.holdAnswer(Buffer.byteLength(result.body) * ANSWER_COPIES);
    return toToolResult(tool, result, call.query, env.random);
  } catch (thrown) {
    const error = toArgumentError(exchange.toError(thrown), places);
    const problem = toProblem(error, env.installation.baseUrl, exchange.requestId);
    return toRefusal(fillProblem(problem, wording));
  }
}
