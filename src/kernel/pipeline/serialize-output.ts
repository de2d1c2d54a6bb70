import type { Operation } from '../operation/operation.ts';
import { RawJson } from '../schema/json.ts';
import { serializeInTurns } from '../schema/sliced-serializer.ts';
import { getOutputSerializer } from './validators.ts';

/** With `check`, which tests set, an answer that does not fit its schema throws. */
function checkOutput(operation: Operation, output: unknown, check: boolean): void {
  if (!check) return;
  const value = output instanceof RawJson ? JSON.parse(String(output.text)) : output;
  const fault = getOutputSerializer(operation).findFault(value);
  if (fault) throw new Error(`The answer of ${operation.name} does not fit its schema: ${fault}`);
}

/**
 * Serializes an answer by the output schema of its operation. Members that the schema does not
 * declare are left out.
 */
export function serializeOutput(
  operation: Operation,
  output: unknown,
  check: boolean,
): string | Buffer {
  checkOutput(operation, output, check);
  if (output instanceof RawJson) return output.text;
  return getOutputSerializer(operation).stringify(output);
}

/** Serializes an answer that may be large as `serializeOutput` does, in turns of the event loop. */
export async function serializeLargeOutput(
  operation: Operation,
  output: unknown,
  check: boolean,
): Promise<string | Buffer> {
  checkOutput(operation, output, check);
  return output instanceof RawJson ? output.text : serializeInTurns(operation.output, output);
}
