/** The parts of an OpenAPI document that this project reads. */

export interface Reference {
  readonly $ref: string;
}

export interface ApiSchema extends Partial<Reference> {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly anyOf?: readonly ApiSchema[];
  readonly allOf?: readonly ApiSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
  readonly example?: unknown;
}

export interface ApiMedia {
  readonly schema?: ApiSchema;
  readonly example?: unknown;
}

export interface ApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, ApiMedia>>;
}

export interface ApiEntry {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly 'x-tool'?: string;
  readonly 'x-scope'?: string;
  readonly 'x-capability'?: string;
  readonly security: readonly Readonly<Record<string, readonly unknown[]>>[];
  readonly parameters: readonly (ApiParameter | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, ApiMedia>>;
  };
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

/** The OpenAPI document of this installation, as plain JSON. */
export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiEntry>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Returns the part, or the component that it refers to if it is a reference. */
export function resolveReference<T extends object>(
  { components }: Pick<ApiDocument, 'components'>,
  part: T | Reference,
): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  return components[kind]?.[name] as T;
}
