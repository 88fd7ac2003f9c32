// Names that several source files export, found in their texts.

const DECLARATION = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type) ([\w$]+)/gm;

/**
 * Names that more than one of the files export → the paths of these, in the order given. What `export { … }` passes on
 * counts once.
 */
export function homonyms(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const [path, source] of files) {
    for (const name of new Set(exportedBy(source))) paths.getOrInsertComputed(name, () => []).push(path);
  }
  return new Map([...paths].filter(([, of]) => of.length > 1));
}

/** One line for each homonym that `meant` lacks, and for each entry of `meant` that is none or is there twice. */
export function homonymFaults(files: ReadonlyMap<string, string>, meant: readonly string[]): string[] {
  const found = homonyms(files);
  return [
    ...[...found].flatMap(([name, paths]) =>
      meant.includes(name) ? [] : [`${name}: exported by ${paths.join(', ')}`],
    ),
    ...meant.flatMap((name, i) => {
      if (meant.indexOf(name) !== i) return [`${name}: listed twice`];
      return found.has(name) ? [] : [`${name}: listed, but exported once or never`];
    }),
  ];
}

function exportedBy(source: string): string[] {
  return [...source.matchAll(DECLARATION)].map(([, name]) => name!);
}
