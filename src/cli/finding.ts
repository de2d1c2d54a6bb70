/**
 * What the doctor has to say about one thing: a sentence, and if it is wrong another one that says
 * what to do.
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
