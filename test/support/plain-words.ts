/**
 * The language of validators, schemas and parsers, which tells a model or a person nothing about
 * what to send instead.
 */
const VALIDATOR_LANGUAGE = new RegExp(
  [
    /must NOT/,
    /\bmust (match|pass|be equal to)\b/,
    /\b[Pp]attern\b/,
    /\b(Expected|Unexpected|Received)\b/,
    /\bInvalid\b/,
    /\b(invalid|malformed) (value|type|input|format|string)\b/i,
    /\b(oneOf|anyOf|allOf|enum|minLength|maxLength|additionalProperties|propertyNames)\b/,
    /\b(additional|required) propert/,
    /\bsubschema\b|\binstancePath\b|\bvalidation\b/i,
    /\b(integer|string|number|boolean|array|object),null\b/,
    /\/body\/\S* should\b/,
    /\^\[|\(\?:|\\S|\\w|\\d/,
    /\bat position \d+ of the JSON\b|\bin JSON at position\b/,
    /\bundefined\b|\[object |\bNaN\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** What a sentence says that tells its reader what to do, or what would be accepted. */
const ADVICE = new RegExp(
  [
    // An order, at the beginning of a sentence or of a clause.
    '(?:^|[.:;,!?] |\\bor |\\band |\\bthen |\\bcan |\\byou (?:can|may)(?: also| still)? )' +
      '(?:accept|activate|add|ask|attach|begin|call|check|choose|close|compensate|compute|' +
      'configure|continue|copy|correct|create|decide|decline|delete|do|end|fetch|file|' +
      'finish|follow|generate|give|go on|grant|leave|list|lower|make|name|open|page|' +
      'pay|post|prepare|propose|put|raise|read|record|refer|register|rely|remove|' +
      'rename|repeat|report|retry|revise|revoke|rotate|search|see|send|set|shorten|' +
      'show|sign in|split|start|state|submit|switch|take|try|unblock|use|vote|wait|' +
      'withdraw|write)\\b',
    // What there must be instead.
    '\\bmust (?:be|have|name|not|all|fit|say|come|end)\\b',
    '\\bis required\\b|\\bis only allowed\\b|\\bat most\\b|\\bneeds\\b',
    // The operation or the address that helps.
    '\\{op:|(?:GET|POST|PUT|DELETE) /api/|/api/v1/|/openapi\\.json|/docs/|/llms\\.txt',
  ].join('|'),
  'i',
);

/** Finds the language of a validator in a detail. */
export const findValidatorLanguage = (detail: string): string | undefined =>
  VALIDATOR_LANGUAGE.exec(detail)?.[0];

/** Whether a detail tells its reader what to do next, or what would be accepted. */
export const hasAdvice = (detail: string): boolean => ADVICE.test(detail);
