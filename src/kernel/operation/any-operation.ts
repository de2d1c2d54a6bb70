import type { ContentOperation } from './content-operation.ts';
import type { FormOperation } from './form.ts';
import type { Operation } from './operation.ts';
import type { StreamOperation } from './stream-operation.ts';

/** An operation of any kind: a call, a stream, content, or a form. */
export type AnyOperation = Operation | StreamOperation | ContentOperation | FormOperation;

/** Whether people use the operation with a browser and a session: a form or a page. */
export const isForPeople = (operation: AnyOperation): boolean =>
  operation.kind === 'form' || ('forPeople' in operation && operation.forPeople === true);

/** Whether the operation answers people with a page. */
export const isPage = (operation: AnyOperation): boolean =>
  operation.kind === 'content' && operation.media === 'text/html';

/**
 * Whether the operation ignores unknown members of its query instead of refusing them. Pages do:
 * people follow links to which others add markers, such as utm_source.
 */
export const ignoresUnknownQuery = (operation: AnyOperation): boolean =>
  operation.kind === 'content' && operation.forPeople === true;

/** Whether a call of the operation may change something: any method but GET. */
export const isMutation = (spec: { readonly method: string }): boolean => spec.method !== 'GET';

/** Whether calls of an operation are refused while the disk is nearly full. */
export const needsDiskSpace = (operation: AnyOperation): boolean =>
  isMutation(operation) && (operation.upload === true || operation.rate === 'registrations');

/**
 * Whether a call may use up its caller's bytes: it stores what the caller sent. Registrations and
 * sign-ins have limits of their own, and must not end because others stored much.
 */
export const storesInput = ({ auth, body, upload, rate, tag }: AnyOperation): boolean =>
  auth !== 'admin' &&
  rate !== 'registrations' &&
  tag !== 'sessions' &&
  (body !== undefined || upload === true);

/**
 * Whether the idempotency key of an operation is a secret: with it, somebody without any credential
 * or with a revoked one can fetch a new key again.
 */
export const hasSecretIdempotencyKey = ({
  rate,
  rotatesCredential,
}: Pick<AnyOperation, 'rate' | 'rotatesCredential'>): boolean =>
  rate === 'registrations' || rotatesCredential === true;
