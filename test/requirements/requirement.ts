/**
 * A sentence of the spec, the contract or the issues that is either true or false of the service.
 */
export interface Requirement {
  /** Where it is written: a document and its section. */
  readonly source: string;
  readonly text: string;
}

/**
 * Requirements by id, such as `wire.uuid-v7`. Tests cite the id in square brackets in their titles.
 */
export type Requirements = Readonly<Record<string, Requirement>>;
