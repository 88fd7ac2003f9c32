// The files of a message that is being written: each is sent ahead as soon as it is chosen.

import { request } from './api.js';
import { element } from './elements.js';
import { size } from './formats.js';

/**
 * A field for files. `attachments` are upload records already there; `changed` hears of each change. Answers
 * `{ node, records, settled, discard }`: settled waits for uploads that run and answers whether all have arrived.
 */
export function attachmentField(attachments, changed) {
  const records = [...attachments];
  const running = new Set();
  const list = element('ul', { class: 'files', 'aria-label': 'Attached files' });
  const problem = element('p', { class: 'error-text', role: 'alert' });
  const input = element('input', { type: 'file', multiple: true, class: 'visually-hidden', id: 'files' });

  const show = () => {
    list.replaceChildren(...records.map(fileItem), ...[...running].map(({ name }) => runningItem(name)));
    list.hidden = records.length + running.size === 0;
  };
  const fileItem = (record) => {
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
  const send = async (file) => {
    const upload = { name: file.name };
    upload.done = sendFile(file).then(
      (sent) => records.push(...sent),
      (error) => {
        problem.textContent = `${file.name} could not be attached. ${error.message}`;
        return undefined;
      },
    );
    running.add(upload);
    show();
    await upload.done;
    running.delete(upload);
    changed();
    show();
  };
  input.addEventListener('change', () => {
    problem.textContent = '';
    for (const file of input.files) send(file);
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

function runningItem(name) {
  return element(
    'li',
    { class: 'running' },
    element('bdi', {}, name),
    element('span', { class: 'file-size' }, 'Sending…'),
  );
}

async function sendFile(file) {
  const body = new FormData();
  body.append('file', file, file.name);
  return (await request('../p', { method: 'POST', body })).json();
}

/** It would expire by itself, so it does not matter whether this works. */
function remove({ ref }) {
  request(`../p/${encodeURIComponent(ref)}`, { method: 'DELETE' }).catch(() => {});
}
