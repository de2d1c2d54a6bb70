/** How an author can know what it records. */
export const provenanceSources = ['first_hand', 'third_party', 'imported'] as const;

/** How the author knows what it records. */
export interface Provenance {
  readonly source: (typeof provenanceSources)[number];
  readonly note: string | null;
  readonly threadId: string | null;
  readonly messageId: string | null;
}

type OptionalMembers<T> = { readonly [Member in keyof T]?: T[Member] | undefined };

/** Converts the provenance of a request to its stored form. */
export const toProvenance = ({
  source,
  note,
  threadId,
  messageId,
}: Pick<Provenance, 'source'> & OptionalMembers<Omit<Provenance, 'source'>>): Provenance => ({
  source,
  note: note || null,
  threadId: threadId ?? null,
  messageId: messageId ?? null,
});

/** A provenance as a request gives it. */
export type ProvenanceRequest = Parameters<typeof toProvenance>[0];
