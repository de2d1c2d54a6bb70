import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';

/** How a member of the team is started. */
export interface MemberCommand {
  readonly handle: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Member {
  readonly handle: string;
  /** How often it was killed. */
  readonly kills: number;
  readonly isAlive: boolean;
  /** Whether it has ended by itself, with 0. */
  readonly isDone: boolean;
  start(): void;
  /** Kills it with SIGKILL: with all processes that it started, or it alone. Waits for its end. */
  kill(scope: 'group' | 'alone'): Promise<void>;
  /** Kills everything that any of its lives may have left behind. */
  end(): void;
}

const RESTART_MS = 500;

/** Ends a process group, which may be gone. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/**
 * Creates a member of the team. If it ends by a fault of its own, it is started again, as a
 * supervisor such as systemd would do. Each life has a process group.
 */
export function createMember({ handle, words, env }: MemberCommand, folder: string): Member {
  const groups: number[] = [];
  let child: ChildProcess | undefined;
  let kills = 0;
  let isDone = false;
  let isEnding = false;
  const member: Member = {
    handle,
    get kills() {
      return kills;
    },
    get isAlive() {
      return child !== undefined;
    },
    get isDone() {
      return isDone;
    },
    start() {
      if (isEnding || child) return;
      const log = openSync(join(folder, `${handle}.log`), 'a');
      const [program = '', ...rest] = words;
      const started = spawn(program, rest, {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', log, log],
        detached: true,
      });
      child = started;
      isDone = false;
      groups.push(started.pid ?? 0);
      started.once('exit', (code, signal) => {
        child = undefined;
        isDone = code === 0;
        if (!isDone && signal === null) setTimeout(member.start, RESTART_MS);
      });
    },
    async kill(scope) {
      const pid = child?.pid;
      if (child === undefined || pid === undefined) return;
      const ended = once(child, 'exit');
      kills++;
      if (scope === 'group') killGroup(pid);
      else process.kill(pid, 'SIGKILL');
      await ended;
    },
    end() {
      isEnding = true;
      for (const pid of groups.filter(Boolean)) killGroup(pid);
    },
  };
  return member;
}
