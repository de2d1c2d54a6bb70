/**
 * A result of the doctor: a sentence about one thing, and a second one that says what to do if
 * something is wrong.
 */
export interface Finding {
  readonly isOk: boolean;
  readonly text: string;
}

export const buildOkFinding = (text: string): Finding => ({ isOk: true, text });

export const buildFaultFinding = (text: string, toDo: string): Finding => ({
  isOk: false,
  text: `${text} ${toDo}`,
});
