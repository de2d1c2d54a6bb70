/** What the doctor has to say about one thing: a sentence, and if it is wrong another one that says what to do. */
export interface Finding {
  readonly right: boolean;
  readonly text: string;
}

export const right = (text: string): Finding => ({ right: true, text });

export const wrong = (text: string, toDo: string): Finding => ({
  right: false,
  text: `${text} ${toDo}`,
});
