// Several files, or a folder with all that is in it, as one .zip that is made in the page while they are read.

import { folderOf, nameOf, openFile, readFolder } from '../../api/files.js';
import { zip } from '../../formats/zip.js';

/** @import { FileFacts } from '../../api/files.js' */
/** @import { ZipEntry } from '../../formats/zip.js' */

/**
 * All of it, folder by folder, named from `base` on. Throws Problem.
 * @param {string} room @param {FileFacts[]} files @param {string} base @param {AbortSignal} signal
 * @returns {AsyncGenerator<ZipEntry, void>}
 */
async function* entriesOf(room, files, base, signal) {
  for (const { path, isFolder, size, time } of files) {
    const entry = { name: path.slice(base.length), time: new Date(time * 1000) };
    if (!isFolder) {
      const open = async () => {
        const { body } = await openFile(room, path, signal);
        return body ?? new ReadableStream({ start: (each) => each.close() });
      };
      yield { ...entry, size, open };
      continue;
    }
    yield entry;
    yield* entriesOf(room, await readFolder(room, path, signal), base, signal);
  }
}

/**
 * Saves it under that name. The bytes go to where the browser keeps blobs, which is its disk where they are many.
 * `progress` hears how many have come. Throws Problem.
 * @param {string} room
 * @param {FileFacts[]} files
 * @param {{ signal: AbortSignal, progress: (bytes: number) => void }} options
 */
export async function downloadAll(room, files, { signal, progress }) {
  const base = folderOf(files[0].path);
  const parts = zip(entriesOf(room, files, base, signal));
  let sent = 0;
  const stream = new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) return controller.close();
        sent += value.length;
        progress(sent);
        controller.enqueue(value);
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 1 },
  );
  const headers = { 'Content-Type': 'application/zip' };
  const archive = await new Response(stream, { headers }).blob();
  signal.throwIfAborted();
  const name = files.length === 1 ? files[0].name : nameOf(base) || room;
  saveAs(URL.createObjectURL(archive), `${name}.zip`);
}

/** As if a link to it were followed. @param {string} address one of a blob is given back afterwards @param {string} name */
export function saveAs(address, name) {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
