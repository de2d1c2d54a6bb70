import type { ByteRange } from '../blobs/blobs.ts';

/** A mark that the browser keeps, and sends with requests for this path. It is no secret. */
export interface Bookmark {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** Bytes or texts, read as they are asked for. */
export interface Pieces extends AsyncIterable<Uint8Array | string> {
  /**
   * Resolves when the next piece needs no more from elsewhere, such as a store of files. Pieces are
   * made in turns, and nobody should wait for others while it has the turn. It never rejects.
   */
  ready?(): Promise<unknown>;
}

/** Bytes of some media type, found but not yet read. */
export interface Content {
  readonly mediaType: string;
  /** Only some may see it: nobody may keep it. */
  readonly private: boolean;
  /** Strong entity tag, without quotes. */
  readonly etag?: string;
  /** Bytes in all, where they are known before. */
  readonly size?: number;
  /**
   * What others made is offered for download under this name, and never shown as a page of this
   * service.
   */
  readonly download?: string;
  /** Further headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A cookie for the reader's browser. Such content is private. */
  readonly bookmark?: Bookmark;
  /**
   * The bytes, read as they are asked for; a range of them only where the operation has `ranges`.
   * An error before the first piece is answered like any other. A later one cuts the response off,
   * so that it never looks complete.
   */
  open(range?: ByteRange): Pieces;
}
