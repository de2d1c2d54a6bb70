import { assertBodyFits } from '../../features/messages/rules.ts';
import { StoaError } from '../../kernel/errors.ts';
import { assertStorable } from '../../kernel/schema/json.ts';
import type { FilePart, Statement } from '../import-plan.ts';

/** What the service would never take, and why: the code and the detail of its refusal. */
export interface ExpectedRefusal {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** Finds why the service would refuse a body, by the rules that it applies itself. */
function findBodyFault(body: string): Pick<ExpectedRefusal, 'code' | 'detail'> | undefined {
  if (body === '') return { code: 'invalid_request', detail: 'The body is empty.' };
  try {
    assertStorable(body, '/body/body');
    assertBodyFits(body);
    return undefined;
  } catch (error) {
    if (!(error instanceof StoaError)) throw error;
    return { code: error.code, detail: error.message };
  }
}

const findFileRefusals = (files: readonly FilePart[], fileBytes: number): ExpectedRefusal[] =>
  files
    .filter(({ hasContent, size }) => hasContent && size > fileBytes)
    .map(({ line, size }) => ({
      line,
      code: 'payload_too_large',
      detail: `The file has ${size} bytes; the limit of the installation is ${fileBytes}.`,
    }));

/**
 * Finds what an import would leave out of a statement because the service can never take it. The
 * limit of messages is the same everywhere. That of files is the installation's: null if no
 * installation is known.
 */
export function findRefusals(
  { line, body, files }: Statement,
  fileBytes: number | null,
): ExpectedRefusal[] {
  const fault = findBodyFault(body);
  if (fault) return [{ line, ...fault }];
  return fileBytes === null ? [] : findFileRefusals(files, fileBytes);
}
