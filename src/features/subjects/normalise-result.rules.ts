/** The one spelling of a value, or what is wrong with it, as the end of a sentence. */
export type NormaliseResult = { readonly value: string } | { readonly fault: string };

/** Wraps the one spelling of a value. */
export const toNormal = (value: string): NormaliseResult => ({ value });

/** Wraps what is wrong with a value. */
export const toFault = (fault: string): NormaliseResult => ({ fault });
