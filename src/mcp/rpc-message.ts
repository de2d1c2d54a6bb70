/** The arguments of a tool as the caller sent them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The members of a message that are looked at; whatever a caller sent may be in them. */
export interface RpcMessage {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly arguments?: ToolArguments;
    readonly notifications?: { readonly resourceSubscriptions?: unknown };
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** Returns any message as an object whose members are all optional. */
export const asMessage = (message: unknown): RpcMessage => (message ?? {}) as RpcMessage;

/** Returns a name that a caller sent. Whatever else it sent is no name of anything. */
const asName = (name: unknown): string => (typeof name === 'string' ? name : '');

/** Returns which tool a call is for, and its arguments: call_tool names another one. */
export function resolveCall(name: unknown, given: ToolArguments) {
  if (name !== 'call_tool') return { name: asName(name), given };
  const inner = given.arguments;
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return { name: asName(given.name), given: isObject ? (inner as ToolArguments) : {} };
}

/**
 * Returns a message without the arguments of its call, which are read from the original message.
 * The library would copy and check them, however long, and its copy lacks members that REST would
 * refuse by name.
 */
export function withoutArguments(message: unknown): unknown {
  const { method, params } = asMessage(message);
  const values: unknown = params?.arguments;
  if (
    method !== 'tools/call' ||
    typeof values !== 'object' ||
    values === null ||
    Array.isArray(values)
  )
    return message;
  return { ...asMessage(message), params: { ...params, arguments: {} } };
}
