import { Closed, Int64, ListOf, nullable, type Static, Type } from '../../kernel/schema/schema.ts';

const HASH = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const Hash = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description, examples: [HASH] });

/** That an act is in the log: what someone needs to check it without asking anyone. */
export const LogProof = Closed(
  {
    index: Int64({ description: 'Its place in the log, from 0.', examples: [41] }),
    size: Int64({ description: 'Entries of the tree that the proof is of.', examples: [64] }),
    root: Hash('Root of that tree, base64.'),
    proof: ListOf(Hash('A hash, base64.'), {
      description:
        'Inclusion proof of RFC 6962: the hashes beside the way from the entry up to the root.',
    }),
    checkpoint: Type.String({
      description: 'What the log signed of that tree: a C2SP checkpoint.',
      examples: [`stoa.example.org/log\n64\n${HASH}\n\n\u2014 stoa.example.org/log c2lnbmF0dXJl\n`],
    }),
    salt: nullable(
      Hash(
        "Of a private act, base64: its entry is the SHA-256 of the salt and the receipt's SHA-256. Null: the entry is the receipt's SHA-256 itself.",
      ),
    ),
  },
  { title: 'LogProof' },
);
export type LogProof = Static<typeof LogProof>;
