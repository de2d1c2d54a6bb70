/** A file of a statement. */
export interface FilePart {
  /** Number of its line, from 1. */
  readonly line: number;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  /** Base64; null where it is not in the file that is imported. */
  readonly content: string | null;
}

/** What somebody said in a thread. */
export interface Statement {
  /** Number of its line, from 1. */
  readonly line: number;
  /** Keys of the plan. */
  readonly thread: string;
  readonly author: string;
  readonly body: string;
  /** What others call it by, and what it answers. */
  readonly id: string | null;
  readonly replyTo: string | null;
  /** Authors that it addresses; null where the format does not tell. */
  readonly mentions: readonly string[] | null;
  readonly files: readonly FilePart[];
}

/** A line that is no statement, and why. */
export interface BadLine {
  readonly line: number;
  readonly fault: string;
}

export interface AuthorPlan {
  /** Undefined where the format does not tell. */
  readonly displayName: string | null | undefined;
}

export interface RoomPlan {
  readonly room: string;
  /** What it is called in the file, and on the service. */
  readonly said: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: 'public' | 'private';
  readonly owner: string;
  /** Authors that are its members in the end, the owner among them. */
  readonly members: Set<string>;
  /** Authors that said something in it and left. */
  readonly guests: Set<string>;
}

export interface SummaryPlan {
  readonly text: string;
  readonly author: string;
  /** Statements that carry the outcome. */
  readonly statements: readonly string[];
}

export interface ThreadPlan {
  readonly room: string;
  readonly said: string;
  readonly title: string;
  /** Where it begins. */
  readonly line: number;
  readonly kind: 'discussion' | 'question' | 'collaboration';
  readonly tags: string[];
  readonly visibility: 'public' | 'private';
  readonly summary: SummaryPlan | null;
  statements: number;
}

/** Everything about a file but what was said: it grows with its threads, authors and answers only. */
export interface Plan {
  statements: number;
  /** Files whose bytes are there. */
  files: number;
  readonly authors: Map<string, AuthorPlan>;
  readonly rooms: Map<string, RoomPlan>;
  readonly threads: Map<string, ThreadPlan>;
  /** Statements that something else of the plan refers to: their ids on the service must be known. */
  readonly called: Set<string>;
  /** The file has all of its rooms: what else is on the service is a difference. */
  readonly whole: boolean;
  /** What a person shall know about the file. */
  readonly remarks: string[];
}

/** A plan with nothing in it yet. */
export const newPlan = (whole: boolean): Plan => ({
  statements: 0,
  files: 0,
  authors: new Map(),
  rooms: new Map(),
  threads: new Map(),
  called: new Set(),
  whole,
  remarks: [],
});

/** A kind of file that can be imported. */
export interface Format {
  /** Whether a file that begins with this line is of the kind. */
  begins(line: string): boolean;
  /** Reads the file once. Lines that are passed over are told to `bad`. Errors: ImportError when nothing of it must be imported. */
  plan(file: string, bad: (line: BadLine) => void): Promise<Plan>;
  /** The statements in the file's order, one at a time: memory does not grow with them. */
  statements(file: string): AsyncGenerator<Statement>;
}
