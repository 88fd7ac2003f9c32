// What is typed into the search: words, and `from:ann` or `from:"Ann Lee"` for who has written.

const FROM = /(?:^|\s)from:(?:"([^"]*)"|([^\s"]+))/i;

/** @param {string} typed @returns {{ words: string, from: string }} '' for what is not said */
export function parseSearch(typed) {
  const [said, quoted, bare] = FROM.exec(typed) ?? [''];
  return { words: typed.replace(said, ' ').replaceAll(/\s+/g, ' ').trim(), from: (quoted ?? bare ?? '').trim() };
}

/** What finds everything that somebody has written. @param {string} name */
export const searchFrom = (name) => (/\s/.test(name) ? `from:"${name.replaceAll('"', '')}"` : `from:${name}`);
