import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { failField } from '../../kernel/errors.ts';

/**
 * Bytes that the parser gets at once. It stops only between two steps. Each part costs some
 * microseconds and a stream, and five bytes can be a part.
 */
const STEP_BYTES = 4 * 1024;

/**
 * The parser takes every part for a file, so other fields are refused by name instead of being
 * collected. The pipeline limits the size of the file.
 */
const parserOptions = {
  limits: { parts: 1, fileSize: Number.POSITIVE_INFINITY, headerPairs: 20, headerSize: 16 * 1024 },
  isPartAFile: () => true,
  preservePath: true,
};

/** The only part of a form (RFC 7578). */
export interface FormPart {
  readonly field: string | undefined;
  readonly filename: string | undefined;
  readonly mediaType: string;
  /** Fails as `end` does. */
  readonly bytes: Readable;
}

/** A form that arrives. */
export interface Form {
  /** Its part, once the head of that has arrived, or null if it ends without one. */
  readonly part: Promise<FormPart | null>;
  /** Fulfilled when the form is whole and its part was read. Rejected when it is no form. */
  readonly end: Promise<void>;
}

/** Hands on pieces as steps of the parser. */
const cutIntoSteps = () =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (let at = 0; at < piece.length; at += STEP_BYTES)
        this.push(piece.subarray(at, at + STEP_BYTES));
      done();
    },
  });

/**
 * Begins to read a form with one part. It stops at the second one. Errors: `invalid_request` for a
 * further part; those of the parser, which it also throws when there is no boundary.
 */
export function readForm(message: IncomingMessage): Form {
  const headers = message.headers as BusboyHeaders;
  const parser = new Busboy({ headers, ...parserOptions });
  const steps = cutIntoSteps();
  let bytes: Readable | undefined;
  let isEmpty = true;
  steps.once('data', () => {
    isEmpty = false;
  });

  const end = new Promise<void>((resolve, reject) => {
    const stop = (error: Error) => {
      message.unpipe(steps);
      steps.unpipe(parser);
      bytes?.destroy(error);
      reject(error);
    };
    parser.once('finish', resolve);
    // The parser takes an empty form for one that ended too early.
    parser.on('error', (error) => (isEmpty ? resolve() : stop(error as Error)));
    parser.once('partsLimit', () =>
      stop(
        failField('/body', 'the form has more than one part. Send the field "file" alone, once'),
      ),
    );
    parser.once('file', (_field, file) => {
      bytes = file;
      file.on('error', stop);
    });
  });
  const part = new Promise<FormPart | null>((resolve, reject) => {
    parser.once('file', (field, file, filename, _encoding, mediaType) =>
      resolve({ field, filename, mediaType, bytes: file }),
    );
    end.then(() => resolve(null), reject);
  });
  part.catch(() => {});
  message.pipe(steps).pipe(parser);
  return { part, end };
}
