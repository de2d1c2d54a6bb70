import type { PortableEventView } from '../generated/operation-types.ts';
import { parseUrl } from './parse-url.ts';
import { ReceiptError } from './receipt-fault.ts';

/** The members of a receipt's view that are checked. Other members are ignored. */
export type CheckedView = Pick<
  PortableEventView,
  'id' | 'kind' | 'visibility' | 'occurredAt' | 'actor' | 'subject' | 'receipt' | 'log' | 'current'
>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HASH = /^[A-Za-z0-9+/]{43}=$/;

type FieldCheck = (value: unknown, name: string) => void;

const failForm = (name: string, what: string): never => {
  throw new ReceiptError('not_a_receipt', `This is not a receipt: ${name} ${what}.`);
};

const checkText =
  (pattern: RegExp): FieldCheck =>
  (value, name) => {
    // An unpaired surrogate has no UTF-8 form, so it would be unclear which bytes were signed.
    if (typeof value !== 'string' || !pattern.test(value) || !value.isWellFormed())
      failForm(name, 'is missing or malformed');
  };

const checkCount: FieldCheck = (value, name) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    failForm(name, 'is not a whole number that JSON can carry');
};

const allowNull =
  (check: FieldCheck): FieldCheck =>
  (value, name) =>
    value === null ? undefined : check(value, name);

const checkList =
  (check: FieldCheck): FieldCheck =>
  (value, name) => {
    if (!Array.isArray(value) || value.length > 64)
      return failForm(name, 'is not a list, or is too long');
    for (const item of value) check(item, name);
  };

/** Checks an object with these members. With `only` it must not have others. */
const checkObject =
  (members: Readonly<Record<string, FieldCheck>>, only = true): FieldCheck =>
  (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return failForm(name, 'is missing or not an object');
    const extra = Object.keys(value).find((member) => !Object.hasOwn(members, member));
    if (only && extra !== undefined)
      failForm(
        name,
        `has a member that receipts do not have: ${JSON.stringify(extra).slice(0, 80)}`,
      );
    for (const [member, check] of Object.entries(members))
      check((value as Record<string, unknown>)[member], `${name}.${member}`);
  };

const checkEqual =
  (expected: unknown): FieldCheck =>
  (value, name) =>
    value === expected ? undefined : failForm(name, `is not ${JSON.stringify(expected)}`);

/** A number of an IPv4 address. */
const NUMBER = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
/** A name whose last label is not a number, an IPv4 address, or an IPv6 address in brackets. */
const HOST = [
  String.raw`(?:(?:[a-z0-9_-]+\.)*(?!(?:\d+|0x[0-9a-f]*)(?::|$))[a-z0-9_-]+`,
  String.raw`(?:${NUMBER}\.){3}${NUMBER}`,
  String.raw`\[[0-9a-f:.]+\])`,
].join('|');
const ORIGIN = new RegExp(String.raw`^https?:\/\/${HOST}(?::\d{1,5})?$`, 'i');

/** Checks the address of an installation, which has neither path nor credentials. */
const checkOrigin: FieldCheck = (value, name) => {
  checkText(ORIGIN)(value, name);
  if (!parseUrl(String(value))) failForm(name, 'is not an address');
};

const checkActor = allowNull(
  checkObject({ id: checkText(UUID), handle: checkText(/^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$/) }),
);
const checkKind = checkText(/^[a-z]+\.[a-z]+$/);
const checkSubjectType = checkText(/^[a-z_]{1,40}$/);
const checkHex = checkText(/^[0-9a-f]{64}$/);

const checkPayload = checkObject({
  v: checkEqual(1),
  iss: checkOrigin,
  realm: checkText(/^[a-z0-9][a-z0-9.-]{0,62}$/),
  id: checkText(UUID),
  kind: checkKind,
  occurredAt: checkText(TIME),
  actor: checkActor,
  subject: checkObject({ type: checkSubjectType, id: checkText(UUID) }),
  contentSha256: checkHex,
});

const checkView = checkObject(
  {
    id: checkText(UUID),
    kind: checkKind,
    visibility: checkText(/^(public|private)$/),
    occurredAt: checkText(TIME),
    actor: checkActor,
    subject: checkObject({ type: checkSubjectType, id: checkText(UUID) }, false),
    receipt: checkObject({
      payload: checkPayload,
      canonical: checkText(/^\{.{1,4000}\}$/),
      sha256: checkHex,
      jws: checkText(/^[\w.-]{1,8000}$/),
      kid: checkText(/^[\w-]{43}$/),
      alg: checkEqual('ES256'),
    }),
    log: allowNull(
      checkObject({
        index: checkCount,
        size: checkCount,
        root: checkText(HASH),
        proof: checkList(checkText(HASH)),
        checkpoint: checkText(/^[\s\S]{1,20000}$/),
        salt: allowNull(checkText(HASH)),
      }),
    ),
    current: checkObject({ state: checkText(/^(current|superseded|withdrawn|deleted)$/) }, false),
  },
  false,
);

/**
 * Checks the form of a view and returns it. The signed and proven parts must have exactly their
 * members.
 * Errors: ReceiptError `not_a_receipt`.
 */
export function readView(value: unknown): CheckedView {
  checkView(value, 'the receipt');
  return value as CheckedView;
}
