import type { Source } from './sources.ts';

/**
 * Words that the project gave up for those of the field; docs/glossary.md has both. They return
 * easily, so a test looks for them in code, comments and documents.
 */
const retired: readonly RegExp[] = [
  /\bin a circle\b/i,
  /\b(COMPANY|PATIENCE(_MS)?)\b/,
  /\b(turnstile|provocations?|everythingOn|everythingOff|untruth|reach-out|createReachOut)\b/i,
  /\b(codesOf|interfaceOf|sentenceOf|repetitionOf|ofRace|layerOf|createWorld|worldsOf)\b/,
  /\b(refuseExcess|mayLag|restOfPath|nobodyLater|hooked|plotted)\b/,
  /\bfunction \w+Of\b/,
  /\bconst \w+Of = (async )?(\(|<|\w+ =>)/,
];

/** Files whose subject is the words themselves. */
const isExempt = (path: string): boolean =>
  /^(scripts\/house\/retired-words\.ts|docs\/glossary\.md)$/.test(path);

/** Places, as `path:line: word`, where a retired word is used. */
export const findRetiredWords = (
  texts: readonly Pick<Source, 'path' | 'text'>[],
): readonly string[] =>
  texts.flatMap(({ path, text }) =>
    isExempt(path)
      ? []
      : text.split('\n').flatMap((line, index) =>
          retired.flatMap((word) => {
            const found = word.exec(line);
            return found ? [`${path}:${index + 1}: ${found[0]}`] : [];
          }),
        ),
  );
