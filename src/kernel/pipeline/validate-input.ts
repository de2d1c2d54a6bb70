import { failField } from '../errors.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Spec } from '../operation/spec.ts';
import { toInput } from './call-handler.ts';
import type { Call } from './environment.ts';
import { getInputValidators } from './validators.ts';

const isEmptyBody = (body: unknown): boolean => body === undefined || JSON.stringify(body) === '{}';

/**
 * Checks and normalises the parts of a call in place.
 * Errors: `invalid_request` with every fault of the first part that has any.
 */
export function validateInput(operation: Operation, call: Call): Input<Spec> {
  const validators = getInputValidators(operation);
  validators.params(call.params);
  validators.query(call.query);
  if (!operation.body && !isEmptyBody(call.body))
    throw failField('/body', 'this operation takes none. Leave the body out');
  const isOmitted = operation.bodyOptional === true && call.body === undefined;
  if (operation.body && !isOmitted) validators.body(call.body);
  return toInput({ params: call.params, query: call.query, body: call.body });
}
