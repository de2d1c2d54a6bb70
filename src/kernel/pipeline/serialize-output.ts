import type { Operation } from '../operation/operation.ts';
import { RawJson } from '../schema/json.ts';
import { getOutputSerializer } from './validators.ts';

/**
 * Serializes an answer by the output schema of its operation. With `check`, which tests set, an
 * answer that does not fit its schema throws. Otherwise undeclared members are left out.
 */
export function serializeOutput(
  operation: Operation,
  output: unknown,
  check: boolean,
): string | Buffer {
  const { stringify, findFault } = getOutputSerializer(operation);
  if (check) {
    const value = output instanceof RawJson ? JSON.parse(String(output.text)) : output;
    const fault = findFault(value);
    if (fault) throw new Error(`The answer of ${operation.name} does not fit its schema: ${fault}`);
  }
  return output instanceof RawJson ? output.text : stringify(output);
}
