// What kind of file a name promises, and how it can be shown in the page.

/** @typedef {'image' | 'text' | 'markdown' | 'audio' | 'video' | 'other'} Look */

/** by the ending of the name @type {Record<string, Look>} */
const LOOKS = Object.fromEntries(
  Object.entries({
    image: 'png jpg jpeg gif webp svg avif bmp ico',
    text: 'txt log csv tsv json xml yml yaml toml ini html htm css js ts py sh c h cpp rs go java sql ics vcf eml diff tex',
    markdown: 'md markdown',
    audio: 'mp3 ogg oga opus wav flac m4a aac',
    video: 'mp4 webm ogv mov m4v',
  }).flatMap(([look, endings]) => endings.split(' ').map((ending) => [ending, /** @type {Look} */ (look)])),
);

/** What a file is shown as: the name goes first, for programs say little of what they send. @param {{ name: string, type: string }} file @returns {Look} */
export function lookOf({ name, type }) {
  const ending = /\.([^.]+)$/.exec(name)?.[1].toLowerCase() ?? '';
  const known = Object.hasOwn(LOOKS, ending) ? LOOKS[ending] : undefined;
  if (known) return known;
  if (ending === 'pdf' || ending === 'zip') return 'other';
  const [, major] = /^(image|audio|video|text)\//.exec(type) ?? [];
  return /** @type {Look | undefined} */ (major) ?? 'other';
}

/** The icon for it. @param {{ name: string, type: string, isFolder?: boolean }} file */
export const fileIcon = (file) => (file.isFolder ? 'folder' : lookOf(file) === 'image' ? 'image' : 'file');

/** @typedef {'name' | 'time' | 'size'} SortKey */

/**
 * Folders first, then by what is asked for; names as people count (`2.txt` before `10.txt`).
 * @template {{ name: string, isFolder: boolean, time: number, size: number }} F
 * @param {F[]} files @param {SortKey} key @param {boolean} isDescending @returns {F[]}
 */
export function sorted(files, key, isDescending) {
  const sign = isDescending ? -1 : 1;
  const collator = new Intl.Collator(undefined, { numeric: true });
  return files.toSorted((a, b) => {
    if (a.isFolder !== b.isFolder) return a.isFolder ? -1 : 1;
    const by = key === 'name' ? 0 : a[key] - b[key];
    return sign * (by || collator.compare(a.name, b.name));
  });
}
