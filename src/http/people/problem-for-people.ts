import type { Problem } from '../../kernel/errors.ts';
import { problemWords, type Words } from './problem-words.ts';

/** What only programs can use: methods and addresses of the API, headers, names of members. */
const FOR_PROGRAMS = new RegExp(
  [
    String.raw`\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) /`,
    String.raw`/api/|openapi\.json|\bX-[A-Z]|[Ii]dempotency|\bheaders?\b|requestId|nextOffset`,
    'key of a member|Do not ask for it again',
  ].join('|'),
);

/** A clause that names an address of the API, behind what its sentence says to people as well. */
const ASIDE = /,? as in (?:GET|POST) \/[\w/{}-]+/g;

/** Leaves out the sentences that only programs can use. */
const dropAdvice = (detail: string): string =>
  detail
    .replace(ASIDE, '')
    .split(/(?<=[.!?]) /)
    .filter((sentence) => !FOR_PROGRAMS.test(sentence))
    .join(' ');

const findWords = ({ code, reason, state }: Problem, operation: string): Words => {
  const keys = [operation, reason, state].map((part) => `${code} ${part}`);
  const key = [...keys, code].find((one) => Object.hasOwn(problemWords, one));
  return key === undefined ? {} : (problemWords[key] ?? {});
};

/**
 * Returns a problem as pages and forms say it: what is wrong, and what to do next on the page. The
 * problem for programs stays as it is. `operation` is the name of the page or form.
 */
export function toProblemForPeople(problem: Problem, operation = ''): Problem {
  const { title = problem.title.replace(/\.$/, ''), detail, next } = findWords(problem, operation);
  const own = typeof detail === 'function' ? detail(problem) : detail;
  const said = own ?? [dropAdvice(problem.detail), next].filter(Boolean).join(' ');
  const { errors } = problem;
  return {
    ...problem,
    title,
    detail: said === '' ? `${title}.` : said,
    ...(errors && {
      errors: errors.map((error) => ({ ...error, detail: dropAdvice(error.detail) })),
    }),
  };
}
