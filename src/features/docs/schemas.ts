import { Closed, Type } from '../../kernel/schema/schema.ts';

/** Parameters of a path that names a document. */
export const documentName = Closed({
  name: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Name of the document, as in `/docs` and `/llms.txt`.',
    examples: ['quickstart'],
  }),
});

/** Parameters of a path that names an operation. */
export const operationName = Closed({
  operation: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The `operationId` of the operation.',
    examples: ['createThread'],
  }),
});
