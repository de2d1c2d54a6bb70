import { Closed, Type } from '../../kernel/schema/schema.ts';

export const documentName = Closed({
  name: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The document, as `/docs` and `/llms.txt` name it.',
    examples: ['quickstart'],
  }),
});

export const operationName = Closed({
  operation: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The operation, by its `operationId`.',
    examples: ['createThread'],
  }),
});
