import { failField, type Problem } from '../errors.ts';
import type { Page, View } from '../html/page.ts';
import { decodePercent } from '../schema/percent-encoding.ts';
import { type Operation, operation } from './operation.ts';
import type { Context, Input, Output, Spec } from './spec.ts';

/** What somebody typed, by the name of the field. */
export type FormFields = Readonly<Record<string, string>>;

export interface FormSpec extends Spec {
  readonly method: 'POST';
  readonly media: 'text/html';
}

/** What a page's form does when it is sent, and the pages that answer. */
interface FormHandlers<S extends Spec> {
  handle(context: Context<S>, input: Input<S>): Promise<Output<S>>;
  /** From what was typed to the body that the schema checks. */
  toBody?(fields: FormFields): Readonly<Record<string, unknown>>;
  renderDone(output: Output<S>, view: View): Page;
  /** What is wrong, with what was typed (nothing, when it could not even be read). */
  renderRefused(problem: Problem, typed: FormFields, view: View): Page;
  /**
   * The form signs in, with the key in its field `key` (its output is whom pages then greet), or
   * out.
   */
  readonly session?: 'begin' | 'end';
}

/**
 * A form of a page: a mutation that goes through the pipeline as any other does, but is fed by a
 * browser and answered with pages. There is no other way to it: it takes no JSON, the client does
 * not know it, and it is no tool.
 */
export interface FormOperation<S extends FormSpec = FormSpec>
  extends FormSpec,
    Pick<FormHandlers<S>, 'toBody' | 'renderDone' | 'renderRefused' | 'session'> {
  readonly kind: 'form';
  readonly name: string;
  readonly spec: S;
  /** What the pipeline runs. */
  readonly mutation: Operation<S>;
}

export function form<const S extends FormSpec>(
  name: string,
  spec: S,
  { handle, ...answers }: FormHandlers<S>,
): FormOperation<S> {
  return { kind: 'form', name, ...spec, spec, mutation: operation(name, spec, handle), ...answers };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const MAX_FIELDS = 100;

/**
 * Percent-encoded bytes, and "+" for a blank, as text; line ends, which browsers send as CRLF, are
 * LF.
 */
function decodeField(text: string): string {
  const bytes = decodePercent(text.replaceAll('+', ' '));
  let found: string;
  try {
    found = utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw failField('/body', 'the form is not valid UTF-8');
  }
  if (found.includes('\0')) throw failField('/body', 'a NUL character is not accepted');
  return found.replaceAll('\r\n', '\n');
}

/**
 * Reads application/x-www-form-urlencoded. A field that was left empty is absent.
 * Errors: `invalid_request` for what is not UTF-8, a NUL, a field that stands twice, or more than a
 * hundred.
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
      throw failField('/body', `the field ${JSON.stringify(name)} stands twice`);
    fields.set(name, decodeField(rest.join('=')));
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''));
}
