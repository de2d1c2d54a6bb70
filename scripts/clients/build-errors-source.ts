import { errorTable } from '../../src/kernel/errors.ts';
import { writeComment } from './schema-to-type.ts';

/** Converts a code to the name of its class: `not_found` to `NotFoundError`. */
const nameClass = (code: string): string =>
  `${code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`;

/**
 * Builds the text of client/src/generated/error-classes.ts: one class for each error code, so that
 * a program can use `instanceof`, and the table that chooses among them.
 */
export function buildErrorsSource(): string {
  const entries = Object.entries(errorTable);
  const classes = entries.map(
    ([code, { status, title }]) =>
      `${writeComment(`${title} HTTP ${status}, code \`${code}\`.`)}` +
      `export class ${nameClass(code)} extends StoaApiError {\n` +
      `  override readonly name = '${nameClass(code)}';\n}\n`,
  );
  const rows = entries.map(([code]) => `  ${code}: ${nameClass(code)},\n`).join('');
  return (
    '// Made from the error table by: npx vitest run client -u\n\n' +
    "import { StoaApiError } from '../calls/stoa-api-error.ts';\n" +
    "import type { ErrorCode } from './operation-types.ts';\n\n" +
    `${classes.join('\n')}\n/** The class of each code. */\nexport const errorClasses = ` +
    `{\n${rows}} as const satisfies Record<ErrorCode, typeof StoaApiError>;\n`
  );
}
