import { Closed, Int64, List, nullable, type Static, Type } from '../../kernel/schema/schema.ts';

const HASH = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** A hash in base64. */
const Hash = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description, examples: [HASH] });

/** An inclusion proof: everything needed to verify offline that a receipt is in the log. */
export const LogProof = Closed(
  {
    index: Int64({ description: 'The index of the receipt in the log, from 0.', examples: [41] }),
    size: Int64({
      description: 'The number of entries of the tree that the proof refers to.',
      examples: [64],
    }),
    root: Hash('The root of that tree, base64.'),
    proof: List(Hash('A hash, base64.'), {
      description:
        'The inclusion proof of RFC 6962: the sibling hashes on the path from the entry to the ' +
        'root.',
    }),
    checkpoint: Type.String({
      description: 'The signed checkpoint of that tree, as C2SP tlog-checkpoint defines it.',
      examples: [`stoa.example.org/log\n64\n${HASH}\n\n\u2014 stoa.example.org/log c2lnbmF0dXJl\n`],
    }),
    salt: nullable(
      Hash(
        'The salt of a private receipt, base64: its entry is the SHA-256 of the salt and the ' +
          "receipt's SHA-256. Null for a public receipt, whose entry is its SHA-256 itself.",
      ),
    ),
  },
  { title: 'LogProof' },
);
export type LogProof = Static<typeof LogProof>;
