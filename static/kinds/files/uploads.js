// Files on their way to a room: one after the other, each with what has gone of it, a way to stop and one to try again.
// They go on while the reader is elsewhere in the page.

import { isTaken, writeFile } from '../../api/files.js';
import { messageOf } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { size } from '../../formats/times.js';
import { user } from '../../model/session.js';
import { icon } from '../../ui/icon.js';
import { fileIcon } from './types.js';

/**
 * `state`: 'taken' where there is a file of that name.
 * @typedef {{ path: string, file: File, state: 'waiting' | 'sending' | 'taken' | 'failed', sent: number,
 *   reason: string, isReplacing: boolean, stop: AbortController }} Upload
 */

/** @type {Map<string, UploadQueue>} */
const queues = new Map();

/** The one queue of a room, of who is here. @param {string} room */
export function uploadsOf(room) {
  const key = JSON.stringify([user.get()?.username, room]);
  const queue = queues.get(key) ?? new UploadQueue(room);
  queues.set(key, queue);
  return queue;
}

addEventListener('beforeunload', (event) => {
  if ([...queues.values()].some((queue) => queue.isBusy)) event.preventDefault();
});

class UploadQueue {
  /** @type {Upload[]} */
  #uploads = [];
  #isRunning = false;
  /** what shows them; it hears that one has arrived @type {((path: string) => void) | undefined} */
  arrived;
  node = element('ul', { class: 'stack uploads', 'aria-label': t('files.uploads'), hidden: true });

  /** @param {string} room */
  constructor(room) {
    this.room = room;
    this.user = user.get()?.username;
  }

  get isBusy() {
    return this.#isRunning;
  }

  /** @param {File[]} files @param {string} folder */
  add(files, folder) {
    for (const file of files) {
      const path = folder + file.name;
      const stop = new AbortController();
      this.#uploads.push({ path, file, state: 'waiting', sent: 0, reason: '', isReplacing: false, stop });
    }
    this.#show();
    this.#run();
  }

  async #run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#next(); next; next = this.#next()) {
      if (user.get()?.username === this.user) await this.#send(next);
      else this.#fail(next, t('log-in.session-ended'));
    }
    this.#isRunning = false;
  }

  #next() {
    return this.#uploads.find(({ state }) => state === 'waiting');
  }

  /** @param {Upload} upload */
  async #send(upload) {
    upload.state = 'sending';
    upload.sent = 0;
    upload.stop = new AbortController();
    this.#show();
    const progress = (/** @type {number} */ sent) => {
      upload.sent = sent;
      this.#showProgress(upload);
    };
    try {
      const { isReplacing, stop } = upload;
      await writeFile(this.room, upload.path, upload.file, { isReplacing, signal: stop.signal, progress });
      this.#drop(upload);
      this.arrived?.(upload.path);
    } catch (problem) {
      if (upload.stop.signal.aborted) return;
      if (isTaken(problem)) this.#fail(upload, t('files.taken'), 'taken');
      else this.#fail(upload, messageOf(problem));
    }
  }

  /** @param {Upload} upload @param {string} reason @param {'failed' | 'taken'} [state] */
  #fail(upload, reason, state = 'failed') {
    upload.state = state;
    upload.reason = reason;
    this.#show();
  }

  /** @param {Upload} upload */
  #drop(upload) {
    this.#uploads = this.#uploads.filter((each) => each !== upload);
    this.#show();
  }

  /** @param {Upload} upload @param {boolean} isReplacing */
  #again(upload, isReplacing) {
    upload.isReplacing = isReplacing;
    upload.state = 'waiting';
    this.#show();
    this.#run();
  }

  /** @param {Upload} upload */
  #showProgress({ path, sent, file }) {
    const row = [...this.node.children].find((each) => each.getAttribute('data-path') === path);
    const bar = row?.querySelector('progress');
    const note = row?.querySelector('.note');
    if (bar) bar.value = sent;
    if (note) note.textContent = t('files.sent', { sent: size(sent), all: size(file.size) });
  }

  #show() {
    this.node.hidden = this.#uploads.length === 0;
    const focused = this.node.contains(document.activeElement);
    this.node.replaceChildren(...this.#uploads.map((upload) => this.#row(upload)));
    if (focused) this.node.querySelector('button')?.focus();
  }

  /** @param {Upload} upload */
  #row(upload) {
    const { path, file, state, sent, reason } = upload;
    const isOver = state === 'taken' || state === 'failed';
    const again = state === 'taken' ? t('files.replace') : t('ui.retry');
    const close = () => {
      upload.stop.abort();
      this.#drop(upload);
    };
    const label = t(isOver ? 'uploads.remove' : 'files.stop', { name: file.name });
    return element(
      'li',
      { class: 'progress-row', 'data-path': path, 'data-tone': isOver ? 'danger' : undefined },
      icon(fileIcon(file)),
      element(
        'div',
        { class: 'grow' },
        element('p', { class: 'name' }, element('bdi', {}, path)),
        element(
          'p',
          { class: 'note', role: isOver ? 'alert' : undefined },
          isOver ? reason : state === 'waiting' ? t('files.waiting') : t('uploads.sending'),
        ),
        state === 'sending' &&
          element('progress', {
            max: Math.max(file.size, 1),
            value: sent,
            'aria-label': t('files.uploading', { name: file.name }),
          }),
      ),
      isOver &&
        element(
          'button',
          { type: 'button', class: 'btn', on: { click: () => this.#again(upload, state === 'taken') } },
          again,
        ),
      element(
        'button',
        { type: 'button', class: 'btn-icon', 'aria-label': label, title: label, on: { click: close } },
        icon('close'),
      ),
    );
  }
}
