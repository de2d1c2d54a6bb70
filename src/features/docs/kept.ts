/** Makes a thing of another and a name once, and keeps it as long as that other thing is there. */
export function kept<Source extends object, Made>(
  make: (source: Source, name: string) => Made,
): (source: Source, name: string) => Made {
  const all = new WeakMap<Source, Map<string, Made>>();
  return (source, name) => {
    const known = all.get(source) ?? new Map<string, Made>();
    all.set(source, known);
    const made = known.get(name) ?? make(source, name);
    known.set(name, made);
    return made;
  };
}
