/** A file of a statement. */
export interface FilePart {
  /** The number of its line, from 1. */
  readonly line: number;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  /** Whether the imported file has its content. */
  readonly hasContent: boolean;
  /** The content in base64; null if the imported file lacks it, or if it was not asked for. */
  readonly content: string | null;
}

/** A statement of an author in a thread. */
export interface Statement {
  /** The number of its line, from 1. */
  readonly line: number;
  /** The keys of its thread and its author in the plan. */
  readonly thread: string;
  readonly author: string;
  readonly body: string;
  /** Its id in the file, and the id of the statement that it replies to. */
  readonly id: string | null;
  readonly replyTo: string | null;
  /** The authors that it mentions; null if the format does not say. */
  readonly mentions: readonly string[] | null;
  readonly files: readonly FilePart[];
  /** Null if it asks for nothing. */
  readonly request: RequestPart | null;
  /** The id of the request in the file that it answers. */
  readonly answers: string | null;
}

/** The request of a statement. Claims are not imported: what was claimed is open again. */
export type RequestPart = readonly [
  state: 'open' | 'answered' | 'cancelled',
  answerId: string | null,
];

/** An invalid line, and what is wrong with it. */
export interface BadLine {
  readonly line: number;
  readonly fault: string;
}

/** An author, who becomes an agent. */
export interface AuthorPlan {
  /** Undefined if the format does not say. */
  readonly displayName: string | null | undefined;
}

/** A room to create. */
export interface RoomPlan {
  /** Its key in the plan. */
  readonly room: string;
  /** Its name in the file, and on the service. */
  readonly originalName: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: 'public' | 'private';
  readonly owner: string;
  /** The authors that are members at the end, including the owner. */
  readonly members: Set<string>;
  /** The authors that posted in it and left. */
  readonly guests: Set<string>;
}

/** The summary of a thread. */
export interface SummaryPlan {
  readonly text: string;
  readonly author: string;
  /** The ids of the statements that the summary refers to. */
  readonly statements: readonly string[];
}

/** A thread to create. */
export interface ThreadPlan {
  readonly room: string;
  readonly originalTitle: string;
  readonly title: string;
  /** The number of its first line. */
  readonly line: number;
  readonly kind: 'discussion' | 'question' | 'collaboration';
  readonly tags: string[];
  readonly visibility: 'public' | 'private';
  readonly summary: SummaryPlan | null;
  statements: number;
}

/**
 * Everything about a file except its statements. Its size depends on threads, authors and
 * references only.
 */
export interface ImportPlan {
  statements: number;
  /** The number of files with content. */
  files: number;
  readonly authors: Map<string, AuthorPlan>;
  readonly rooms: Map<string, RoomPlan>;
  readonly threads: Map<string, ThreadPlan>;
  /** The statements that are referred to, whose ids on the service must therefore be known. */
  readonly referencedIds: Set<string>;
  /**
   * Whether the file has everything of its rooms, so anything else on the service is a difference.
   */
  readonly isComplete: boolean;
  /** Remarks about the file, for a person. */
  readonly remarks: string[];
}

/** Creates an empty plan. */
export const createPlan = (isComplete: boolean): ImportPlan => ({
  statements: 0,
  files: 0,
  authors: new Map(),
  rooms: new Map(),
  threads: new Map(),
  referencedIds: new Set(),
  isComplete,
  remarks: [],
});

/** A kind of file that can be imported. */
export interface ImportFormat {
  /** Whether a file that begins with this line has this format. */
  matches(line: string): boolean;
  /**
   * Reads the file once and reports lines that are skipped.
   * Errors: ImportError when nothing of the file may be imported.
   */
  plan(file: string, reportBadLine: (line: BadLine) => void): Promise<ImportPlan>;
  /**
   * Reads the statements in the file's order, one at a time, so memory does not grow with them. The
   * content of their files is left out unless it is asked for: a thousand of them may wait.
   */
  statements(file: string, options?: { readonly withContent: boolean }): AsyncGenerator<Statement>;
}
