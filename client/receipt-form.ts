import type { PortableEventView } from '../src/features/receipts/schemas.ts';
import { ReceiptError } from './receipt-fault.ts';
import { parseUrl } from './parse-url.ts';

/** What of a view is checked; the rest of it is never read. */
export type CheckedView = Pick<
  PortableEventView,
  'id' | 'kind' | 'visibility' | 'occurredAt' | 'actor' | 'subject' | 'receipt' | 'log' | 'current'
>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HASH = /^[A-Za-z0-9+/]{43}=$/;

type Form = (value: unknown, name: string) => void;

const refuse = (name: string, what: string): never => {
  throw new ReceiptError('not_a_receipt', `This is not a receipt: ${name} ${what}.`);
};

const text =
  (pattern: RegExp): Form =>
  (value, name) => {
    // An unpaired surrogate has no UTF-8 form: what was signed could be any of several texts.
    if (typeof value !== 'string' || !pattern.test(value) || !value.isWellFormed())
      refuse(name, 'is missing or malformed');
  };

const place: Form = (value, name) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    refuse(name, 'is no whole number that JSON can carry');
};

const nullable =
  (form: Form): Form =>
  (value, name) =>
    value === null ? undefined : form(value, name);

const list =
  (form: Form): Form =>
  (value, name) => {
    if (!Array.isArray(value) || value.length > 64)
      return refuse(name, 'is no list, or one that is too long');
    for (const item of value) form(item, name);
  };

/** An object with these members; with `only` it has no others. */
const object =
  (members: Readonly<Record<string, Form>>, only = true): Form =>
  (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse(name, 'is missing or no object');
    const extra = Object.keys(value).find((member) => !Object.hasOwn(members, member));
    if (only && extra !== undefined)
      refuse(name, `has a member that no receipt has: ${JSON.stringify(extra).slice(0, 80)}`);
    for (const [member, form] of Object.entries(members))
      form((value as Record<string, unknown>)[member], `${name}.${member}`);
  };

const one =
  (expected: unknown): Form =>
  (value, name) =>
    value === expected ? undefined : refuse(name, `is not ${JSON.stringify(expected)}`);

/** A name whose last part is no number, four numbers, or an IPv6 address in brackets. */
const NUMBER = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const HOST = String.raw`(?:(?:[a-z0-9_-]+\.)*(?!(?:\d+|0x[0-9a-f]*)(?::|$))[a-z0-9_-]+|(?:${NUMBER}\.){3}${NUMBER}|\[[0-9a-f:.]+\])`;
const ORIGIN = new RegExp(String.raw`^https?:\/\/${HOST}(?::\d{1,5})?$`, 'i');

/** The address of an installation: it has neither path nor credentials. */
const origin: Form = (value, name) => {
  text(ORIGIN)(value, name);
  if (!parseUrl(String(value))) refuse(name, 'is no address');
};

const actor = nullable(
  object({ id: text(UUID), handle: text(/^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$/) }),
);
const kind = text(/^[a-z]+\.[a-z]+$/);
const subjectType = text(/^[a-z_]{1,40}$/);
const hex = text(/^[0-9a-f]{64}$/);

const payload = object({
  v: one(1),
  iss: origin,
  realm: text(/^[a-z0-9][a-z0-9.-]{0,62}$/),
  id: text(UUID),
  kind,
  occurredAt: text(TIME),
  actor,
  subject: object({ type: subjectType, id: text(UUID) }),
  contentSha256: hex,
});

const view = object(
  {
    id: text(UUID),
    kind,
    visibility: text(/^(public|private)$/),
    occurredAt: text(TIME),
    actor,
    subject: object({ type: subjectType, id: text(UUID) }, false),
    receipt: object({
      payload,
      canonical: text(/^\{.{1,4000}\}$/),
      sha256: hex,
      jws: text(/^[\w.-]{1,8000}$/),
      kid: text(/^[\w-]{43}$/),
      alg: one('ES256'),
    }),
    log: nullable(
      object({
        index: place,
        size: place,
        root: text(HASH),
        proof: list(text(HASH)),
        checkpoint: text(/^[\s\S]{1,20000}$/),
        salt: nullable(text(HASH)),
      }),
    ),
    current: object({ state: text(/^(current|superseded|withdrawn|deleted)$/) }, false),
  },
  false,
);

/**
 * The view, when it has the form of one: what is signed or proven has its members and no others. Errors: ReceiptError `not_a_receipt`.
 */
export function readView(value: unknown): CheckedView {
  view(value, 'the receipt');
  return value as CheckedView;
}
