// The files of a message that is being written: each is sent ahead as soon as it is chosen, dropped or pasted; it can
// be stopped, taken away, and tried again.

import { dropUpload, uploadFile } from '../../api/messages.js';
import { messageOf } from '../../api/request.js';
import { messageLimit } from '../../api/rooms.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { size } from '../../formats/times.js';
import { icon } from '../../ui/icon.js';

/** @import { UploadRecord } from '../../api/interface.d.ts' */

/**
 * One that is on its way, or did not arrive.
 * @typedef {{ file: File, stop: AbortController, done: Promise<boolean>, part: number, fault?: string,
 *   isLarge?: boolean, row: HTMLElement }} Upload
 */

/**
 * `attachments` are upload records already there; `changed` hears of each change; `mostBytes` is what all files may
 * have together, with those that `others` counts. `settled` waits for uploads that run and answers whether all have
 * arrived.
 * @param {UploadRecord[]} attachments @param {() => void} changed @param {number} [mostBytes]
 * @param {() => number} [others]
 */
export function attachmentField(attachments, changed, mostBytes = messageLimit(), others = () => 0) {
  const records = [...attachments];
  let isAnyRemoved = false;
  /** @type {Set<Upload>} */
  const uploads = new Set();
  const rows = element('ul', { class: 'stack attachments', 'data-gap': '1', 'aria-label': t('uploads.title') });
  const said = element('p', { class: 'visually-hidden', role: 'status' });
  const input = element('input', { type: 'file', multiple: true, class: 'visually-hidden', id: 'files' });

  const show = () => {
    rows.replaceChildren(...records.map(fileItem), ...[...uploads].map(({ row }) => row));
    rows.hidden = records.length + uploads.size === 0;
  };
  const fileItem = (/** @type {UploadRecord} */ record) => {
    const name = record.uploadfilename;
    const click = () => {
      records.splice(records.indexOf(record), 1);
      isAnyRemoved = true;
      dropUpload(record);
      changed();
      show();
      input.focus();
    };
    return item(name, size(record.contentlength), [button('close', t('uploads.remove', { name }), click)]);
  };
  /** @param {Upload} upload */
  const forget = (upload) => {
    upload.stop.abort();
    uploads.delete(upload);
    show();
    input.focus();
  };
  /** @param {Upload} upload */
  const showUpload = (upload) => {
    const { name } = upload.file;
    const remove = button('close', t('uploads.remove', { name }), () => forget(upload));
    const again = button('repeat', t('uploads.again', { name }), () => {
      uploads.delete(upload);
      send(upload.file);
    });
    upload.row.replaceWith(
      (upload.row = upload.fault
        ? item(name, upload.fault, upload.isLarge ? [remove] : [again, remove], { isFaulty: true })
        : item(name, t('uploads.sending'), [button('close', t('uploads.stop', { name }), () => forget(upload))], {
            part: upload.part,
          })),
    );
  };
  /** Those that are there or on their way, and this one. @param {File} file */
  const hasRoom = (file) => {
    const going = [...uploads].filter((each) => each.fault === undefined && each.file !== file);
    const bytes = [...records.map((each) => each.contentlength), ...going.map((each) => each.file.size)];
    return bytes.reduce((sum, each) => sum + each, file.size + others()) <= mostBytes;
  };
  const send = (/** @type {File} */ file) => {
    /** @type {Upload} */
    const upload = { file, stop: new AbortController(), done: Promise.resolve(false), part: 0, row: element('li') };
    uploads.add(upload);
    show();
    if (!hasRoom(file)) {
      const isAlone = file.size > mostBytes;
      upload.fault = t(isAlone ? 'uploads.too-large' : 'uploads.too-large-together', { size: size(mostBytes) });
      upload.isLarge = true;
      showUpload(upload);
      said.textContent = `${file.name}: ${upload.fault}`;
      return;
    }
    const progress = (/** @type {number} */ part) => {
      upload.part = part;
      const bar = upload.row.querySelector('progress');
      if (bar) bar.value = part;
    };
    upload.done = uploadFile(file, { progress, signal: upload.stop.signal }).then(
      (sent) => {
        uploads.delete(upload);
        records.push(...sent);
        changed();
        show();
        said.textContent = t('uploads.done', { name: file.name });
        return true;
      },
      (error) => {
        if (!uploads.has(upload)) return true;
        upload.fault = t('uploads.failed', { name: file.name, reason: messageOf(error) });
        showUpload(upload);
        said.textContent = upload.fault;
        return false;
      },
    );
    showUpload(upload);
  };
  const add = (/** @type {Iterable<File>} */ files) => {
    for (const file of files) send(file);
  };
  input.addEventListener('change', () => {
    add(input.files ?? []);
    input.value = '';
  });
  show();

  return {
    list: element('div', { class: 'stack' }, rows, said),
    button: element(
      'span',
      { class: 'file-button' },
      input,
      element(
        'label',
        { class: 'btn', 'data-kind': 'quiet', for: 'files', title: t('uploads.limit', { size: size(mostBytes) }) },
        icon('paperclip'),
        t('uploads.attach'),
      ),
    ),
    records,
    hasRoom,
    add,
    async settled() {
      const results = await Promise.all([...uploads].map((upload) => upload.done));
      return results.every(Boolean);
    },
    isBusy: () => uploads.size > 0,
    /** Takes away those that have arrived; answers them. */
    take() {
      const taken = records.splice(0);
      show();
      return taken;
    },
    /** @param {UploadRecord[]} taken */
    putBack(taken) {
      records.unshift(...taken);
      show();
    },
    /** Nothing more goes. Answers the files that have not arrived. */
    stop() {
      const left = [...uploads];
      uploads.clear();
      for (const { stop } of left) stop.abort();
      return left.map(({ file }) => file);
    },
    hasRemoved: () => isAnyRemoved,
    discard: () => records.forEach(dropUpload),
  };
}

/** @param {string} name @param {string} label @param {() => void} click */
const button = (name, label, click) =>
  element(
    'button',
    { type: 'button', class: 'btn-icon', 'aria-label': label, title: label, on: { click } },
    icon(name),
  );

/**
 * @param {string} name @param {string} note @param {HTMLElement[]} buttons
 * @param {{ part?: number, isFaulty?: boolean }} [state]
 */
const item = (name, note, buttons, { part, isFaulty } = {}) =>
  element(
    'li',
    { class: 'progress-row', 'data-tone': isFaulty && 'danger' },
    icon(isFaulty ? 'warning' : 'file'),
    element(
      'div',
      { class: 'grow' },
      element('p', { class: 'name' }, element('bdi', {}, name)),
      element('p', { class: 'note' }, note),
      part !== undefined &&
        element('progress', { value: part, max: 1, 'aria-label': t('uploads.sending-of', { name }) }),
    ),
    element('span', { class: 'group' }, buttons),
  );
