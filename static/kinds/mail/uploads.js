// The files of a message that is being written: each is sent ahead as soon as it is chosen.

import { messageOf, request } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { size } from '../../formats/times.js';

/** @import { UploadRecord } from '../../api/interface.d.ts' */

/**
 * A field for files. `attachments` are upload records already there; `changed` hears of each change. Answers
 * `{ node, records, settled, discard }`: settled waits for uploads that run and answers whether all have arrived.
 * @param {UploadRecord[]} attachments @param {() => void} changed
 */
export function attachmentField(attachments, changed) {
  const records = [...attachments];
  /** @type {Set<{ name: string, done: Promise<number | undefined> }>} */
  const running = new Set();
  const list = element('ul', { class: 'files', 'aria-label': 'Attached files' });
  const problem = element('p', { class: 'error-text', role: 'alert' });
  const input = element('input', { type: 'file', multiple: true, class: 'visually-hidden', id: 'files' });

  const show = () => {
    list.replaceChildren(...records.map(fileItem), ...[...running].map(({ name }) => runningItem(name)));
    list.hidden = records.length + running.size === 0;
  };
  const fileItem = (/** @type {UploadRecord} */ record) => {
    const click = () => {
      records.splice(records.indexOf(record), 1);
      remove(record);
      changed();
      show();
      input.focus();
    };
    const label = `Remove ${record.uploadfilename}`;
    return element(
      'li',
      {},
      element('bdi', {}, record.uploadfilename),
      element('span', { class: 'file-size' }, size(record.contentlength)),
      element('button', { type: 'button', class: 'quiet', 'aria-label': label, on: { click } }, 'Remove'),
    );
  };
  const send = async (/** @type {File} */ file) => {
    const done = sendFile(file).then(
      (sent) => records.push(...sent),
      (error) => {
        problem.textContent = `${file.name} could not be attached. ${messageOf(error)}`;
        return undefined;
      },
    );
    const upload = { name: file.name, done };
    running.add(upload);
    show();
    await upload.done;
    running.delete(upload);
    changed();
    show();
  };
  input.addEventListener('change', () => {
    problem.textContent = '';
    for (const file of /** @type {FileList} */ (input.files)) send(file);
    input.value = '';
  });
  show();

  return {
    node: element(
      'div',
      { class: 'field' },
      element('label', { class: 'button file-button', for: 'files' }, 'Attach files'),
      input,
      list,
      problem,
    ),
    records,
    async settled() {
      const results = await Promise.all([...running].map((upload) => upload.done));
      return results.every((result) => result !== undefined);
    },
    discard: () => records.forEach(remove),
  };
}

/** @param {string} name */
function runningItem(name) {
  return element(
    'li',
    { class: 'running' },
    element('bdi', {}, name),
    element('span', { class: 'file-size' }, 'Sending…'),
  );
}

/** @param {File} file @returns {Promise<UploadRecord[]>} */
async function sendFile(file) {
  const body = new FormData();
  body.append('file', file, file.name);
  return (await request('../p', { method: 'POST', body })).json();
}

/**
 * It would expire by itself, so it does not matter whether this works.
 * @param {UploadRecord} record
 */
function remove({ ref }) {
  request(`../p/${encodeURIComponent(ref)}`, { method: 'DELETE' }).catch(() => {});
}
