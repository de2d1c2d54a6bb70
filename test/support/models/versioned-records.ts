import { buildModel, type Told, type Way } from './told.ts';

/** What is done with an interaction and its evidence. */
export interface RecordOperation extends Told {
  readonly kind: 'revise' | 'withdraw' | 'submit' | 'retract' | 'read';
  readonly record: string;
  /** The version that the caller read, of the record, or for `retract` of the evidence. */
  readonly expected?: number;
  /** The new summary, or the text of the evidence, which no other has. */
  readonly text?: string;
}

/** An interaction; versions of its evidence by text: 1 submitted, 2 withdrawn. */
export interface RecordState {
  readonly version: number;
  readonly state: 'recorded' | 'withdrawn';
  readonly summary: string;
  readonly evidence: Readonly<Record<string, number>>;
}

/** Tells what a read shows. The versions that are kept end with the current one. */
export const tellRecord = ({ version, state, summary, evidence }: RecordState): string =>
  [
    `${state} ${version} "${summary}"`,
    ...Object.entries(evidence)
      .map(([text, of]) => `${text}: ${of}`)
      .sort(),
  ].join(', ');

function apply(record: RecordState, operation: RecordOperation): Way<RecordState>[] {
  const { kind, expected = 0, text = '' } = operation;
  const { version, state, evidence } = record;
  if (kind === 'read') return [[record, tellRecord(record)]];
  const next = { ...record, version: version + 1 };
  if (kind === 'retract') {
    const current = evidence[text];
    if (current === undefined) return [[record, 'not_found']];
    if (current !== expected) return [[record, `version_conflict ${current}`]];
    if (current > 1) return [[record, 'state_conflict withdrawn']];
    return [[{ ...next, evidence: { ...evidence, [text]: 2 } }, 'withdrawn 2']];
  }
  if (expected !== version) return [[record, `version_conflict ${version}`]];
  if (state === 'withdrawn') return [[record, 'state_conflict withdrawn']];
  if (kind === 'submit')
    return [[{ ...next, evidence: { ...evidence, [text]: 1 } }, 'submitted 1']];
  if (kind === 'revise') return [[{ ...next, summary: text }, `recorded ${version + 1}`]];
  return [[{ ...next, state: 'withdrawn' }, `withdrawn ${version + 1}`]];
}

/** Versioned records (contract on capabilities, sections 1 and 2) that begin with a summary. */
export const buildRecordModel = (summary: string) =>
  buildModel<RecordState, RecordOperation>({
    initial: { version: 1, state: 'recorded', summary, evidence: {} },
    apply,
    reads: ['read'],
    partition: ({ record }) => record,
  });
