import type { ContentOperation } from './content-operation.ts';
import type { FormOperation } from './form.ts';
import type { Operation } from './operation.ts';
import type { StreamOperation } from './stream-operation.ts';

export type AnyOperation = Operation | StreamOperation | ContentOperation | FormOperation;

/** Whether people read it, with a browser and by a session. */
export const isForPeople = (operation: AnyOperation): boolean =>
  operation.kind === 'form' || ('forPeople' in operation && operation.forPeople === true);

/**
 * Whether members of a query that it does not know are left out instead of refused: people come by
 * links that others put marks on, such as utm_source.
 */
export const ignoresUnknownQuery = (operation: AnyOperation): boolean =>
  operation.kind === 'content' && operation.forPeople === true;

/** Whether calling changes anything. */
export const isMutation = (spec: { readonly method: string }): boolean => spec.method !== 'GET';
