// The files of a message that is being written: each is sent ahead as soon as it is chosen.

import { dropUpload, uploadFile } from '../../api/messages.js';
import { messageOf } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { size } from '../../formats/times.js';
import { icon } from '../../ui/icon.js';

/** @import { UploadRecord } from '../../api/interface.d.ts' */

/**
 * A field for files. `attachments` are upload records already there; `changed` hears of each change. `settled` waits
 * for uploads that run and answers whether all have arrived.
 * @param {UploadRecord[]} attachments @param {() => void} changed
 */
export function attachmentField(attachments, changed) {
  const records = [...attachments];
  /** @type {Set<{ name: string, done: Promise<number | undefined> }>} */
  const running = new Set();
  const rows = element('ul', { class: 'stack', 'data-gap': '1', 'aria-label': t('uploads.title') });
  const problem = element('p', { class: 'error', role: 'alert' });
  const input = element('input', { type: 'file', multiple: true, class: 'visually-hidden', id: 'files' });

  const show = () => {
    rows.replaceChildren(
      ...records.map(fileItem),
      ...[...running].map(({ name }) => uploadRow(name, t('uploads.sending'))),
    );
    rows.hidden = records.length + running.size === 0;
  };
  const fileItem = (/** @type {UploadRecord} */ record) => {
    const click = () => {
      records.splice(records.indexOf(record), 1);
      dropUpload(record);
      changed();
      show();
      input.focus();
    };
    const label = t('uploads.remove', { name: record.uploadfilename });
    const button = element(
      'button',
      { type: 'button', class: 'btn-icon', 'aria-label': label, title: label, on: { click } },
      icon('close'),
    );
    return uploadRow(record.uploadfilename, size(record.contentlength), button);
  };
  const send = async (/** @type {File} */ file) => {
    const done = uploadFile(file).then(
      (sent) => records.push(...sent),
      (error) => {
        problem.textContent = t('uploads.failed', { name: file.name, reason: messageOf(error) });
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
    list: element('div', { class: 'stack' }, rows, problem),
    button: element(
      'span',
      { class: 'file-button' },
      input,
      element('label', { class: 'btn', 'data-kind': 'quiet', for: 'files' }, icon('paperclip'), t('uploads.attach')),
    ),
    records,
    async settled() {
      const results = await Promise.all([...running].map((upload) => upload.done));
      return results.every((result) => result !== undefined);
    },
    discard: () => records.forEach(dropUpload),
  };
}

/** @param {string} name @param {string} note @param {HTMLElement} [button] */
const uploadRow = (name, note, button) =>
  element(
    'li',
    { class: 'progress-row' },
    icon('file'),
    element(
      'div',
      { class: 'grow' },
      element('p', { class: 'name' }, element('bdi', {}, name)),
      element('p', { class: 'note' }, note),
    ),
    button,
  );
