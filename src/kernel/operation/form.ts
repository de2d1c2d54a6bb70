import { failField, type Problem } from '../errors.ts';
import type { WaitForTurn } from '../event-loop-turns.ts';
import type { Page, View } from '../html/page.ts';
import { decodePercent } from '../schema/percent-encoding.ts';
import { type Operation, operation } from './operation.ts';
import type { Context, Input, Output, Spec } from './spec.ts';

/** The texts that somebody typed, by the name of the field. */
export type FormFields = Readonly<Record<string, string>>;

/** The declaration of a form: a mutation that answers with a page. */
export interface FormSpec extends Spec {
  readonly method: 'POST';
  readonly media: 'text/html';
}

/** What a form does when it is submitted, and the pages that answer. */
interface FormHandlers<S extends Spec> {
  handle(context: Context<S>, input: Input<S>): Promise<Output<S>>;
  /** Converts the typed texts to the body that the schema checks. */
  toBody?(fields: FormFields): Readonly<Record<string, unknown>>;
  /**
   * Returns the idempotency key that the page made with the form, so that a form that is sent twice
   * acts once. A header wins.
   */
  toIdempotencyKey?(fields: FormFields): string | undefined;
  renderDone(output: Output<S>, view: View, waitForTurn: WaitForTurn): Page | Promise<Page>;
  /**
   * Renders an error. `typed` is empty when the form could not be parsed. `path` is the address to
   * which the form was sent, for links to what it is about.
   */
  renderRefused(problem: Problem, typed: FormFields, view: View, path: string): Page;
  /**
   * Returns the page of this service on which a person goes on. A client whose Accept names
   * text/html is led there (303) instead of getting the page of `renderDone`.
   */
  toNextPath?(output: Output<S>): string;
  /**
   * The effect of the form on the session. `begin` signs in with the key in the field `key`, and
   * the output is the visitor whom pages then greet. `end` signs out.
   */
  readonly session?: 'begin' | 'end';
}

/**
 * A form on a page: a mutation that passes through the pipeline like any other, but is submitted by
 * a browser and answered with a page. It accepts no JSON, and neither the client nor the tools have
 * it.
 */
export interface FormOperation<S extends FormSpec = FormSpec>
  extends FormSpec,
    Pick<
      FormHandlers<S>,
      'toBody' | 'toIdempotencyKey' | 'toNextPath' | 'renderDone' | 'renderRefused' | 'session'
    > {
  readonly kind: 'form';
  readonly name: string;
  readonly spec: S;
  /** The operation that the pipeline runs. */
  readonly mutation: Operation<S>;
}

/** Declares a form. */
export function form<const S extends FormSpec>(
  name: string,
  spec: S,
  { handle, ...answers }: FormHandlers<S>,
): FormOperation<S> {
  const mutation = operation(name, spec, handle);
  return { kind: 'form', name, ...spec, spec, mutation, ...answers };
}

/** Converts a text that is a number. Others stay texts, for the schema to refuse. */
export const toNumber = (text: string): number | string =>
  /^[0-9]{1,15}$/.test(text) ? Number(text) : text;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const MAX_FIELDS = 100;

/**
 * Decodes one name or value: percent-encoded UTF-8 with "+" for a space. Line ends, which browsers
 * send as CRLF, become LF.
 */
function decodeField(text: string): string {
  let found: string;
  try {
    found = utf8.decode(decodePercent(text.replaceAll('+', ' ')));
  } catch {
    throw failField('/body', 'the form is not valid UTF-8. Send it as UTF-8');
  }
  if (found.includes('\0')) throw failField('/body', 'a NUL character is not accepted. Remove it');
  return found.replaceAll('\r\n', '\n');
}

/**
 * Parses application/x-www-form-urlencoded. Fields that were left empty are absent.
 * Errors: `invalid_request` for invalid UTF-8, a NUL, a repeated field, or more than 100 fields.
 */
export function parseForm(bytes: Uint8Array): FormFields {
  const text = Buffer.from(bytes).toString('latin1');
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_FIELDS)
    throw failField('/body', `a form has at most ${MAX_FIELDS} fields`);
  const fields = new Map<string, string>();
  for (const pair of pairs) {
    const [encoded = '', ...rest] = pair.split('=');
    const name = decodeField(encoded);
    if (fields.has(name))
      throw failField('/body', `the field ${JSON.stringify(name)} occurs twice. Send it once`);
    fields.set(name, decodeField(rest.join('=')));
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''));
}
