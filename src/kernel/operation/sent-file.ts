/**
 * A file as an edge receives it: its name and type as they were sent, and its bytes as they arrive.
 */
export interface IncomingFile {
  readonly name: string;
  readonly mediaType: string;
  /** A number of bytes that the file cannot exceed, if its sender announced one. */
  readonly announcedBytes?: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A file as its operation gets it. Its bytes are already stored. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: Buffer;
  /** The first 4,096 bytes. */
  readonly head: Buffer;
}
