import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { review } from '../../examples/team/review.ts';
import { runPython } from '../tools/python-client/python.ts';

const findExample = (name: string) =>
  fileURLToPath(new URL(`../../examples/team/${name}`, import.meta.url));

/** Runs only the function `review` of the reviewer in Python. */
async function reviewInPython(file: string): Promise<string> {
  const program = `
import ast, sys
with open(${JSON.stringify(findExample('reviewer.py'))}) as source:
    tree = ast.parse(source.read())
kept = (ast.Import, ast.FunctionDef)
limit = [n for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "MAX_LISTED"]
tree.body = limit + [n for n in tree.body if isinstance(n, kept)]
names = {}
exec(compile(tree, "reviewer", "exec"), names)
print(names["review"](${file}))`;
  const { out, err } = await runPython(['-c', program]);
  expect(err).toBe('');
  return out.trimEnd();
}

/** Runs only the function `review` of the reviewer in shell. */
async function reviewInShell(file: string): Promise<string> {
  const [found = ''] =
    /^review\(\) \{\n[\s\S]*?\n\}\n/m.exec(readFileSync(findExample('reviewer.sh'), 'utf8')) ?? [];
  const run = promisify(execFile)('sh', ['-c', `${found}review`]);
  run.child.stdin?.end(file);
  return (await run).stdout.trimEnd();
}

it.each([2, 200, 201, 13_000])('[attack.55-7] (API4) answer %i findings alike', async (count) => {
  const answer = review(`${'TODO\n'.repeat(count)}done`);
  expect(answer.length).toBeLessThan(12_000);
  expect(answer.startsWith(`findings: ${count}\n\n- line 1: left to do\n`)).toBe(true);
  expect(answer.endsWith(`- and ${count - 200} more`)).toBe(count > 200);
  expect(await reviewInPython(`"TODO\\n" * ${count} + "done"`)).toBe(answer);
  expect(await reviewInShell(`${'TODO\n'.repeat(count)}done\n`)).toBe(answer);
});
